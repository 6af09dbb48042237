import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A website of tests on a port of its own. */
export interface Website {
  origin: string;
  /** Answers by path; what is missing is not found. A function answers late. */
  pages: Record<string, string | (() => Promise<string>)>;
  close(): void;
}

/** Serves pages of HTML. */
export async function serveWebsite(pages: Website["pages"]): Promise<Website> {
  const server = createServer((request, response) => {
    const page = pages[request.url ?? "/"];
    const type = (request.url ?? "").endsWith(".txt") ? "text/plain" : "text/html; charset=utf-8";
    if (page === undefined) {
      response.writeHead(404).end();
      return;
    }
    void Promise.resolve(typeof page === "string" ? page : page()).then((text) =>
      response.writeHead(200, { "content-type": type }).end(text),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    pages,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
