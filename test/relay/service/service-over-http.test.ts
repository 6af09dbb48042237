import { setImmediate } from "node:timers/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { serviceOverHttp } from "../../../src/relay/index.ts";
import { collectGarbage } from "../../../src/service/collect-garbage.ts";

const servers: Server[] = [];

/** The root address of a server that answers so. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

test("a redirect is refused, and the key goes to no other address", async () => {
  const seen: string[] = [];
  const elsewhere = await serve((request, response) => {
    seen.push(request.url ?? "");
    response.end();
  });
  const baseUrl = await serve((_, response) => {
    response.writeHead(307, { location: `${elsewhere}/stolen` }).end("moved");
  });
  const service = serviceOverHttp({ baseUrl, apiKey: "key" });
  await expect(service("/api/v1/session/", { method: "POST", body: "{}" })).rejects.toThrow("redirects");
  expect(seen).toEqual([]);
});

test("an answer that is aborted ends at the service, also after garbage was collected", async () => {
  let closed = 0;
  const baseUrl = await serve((_, response) => {
    response.on("close", () => closed++);
    response.writeHead(200).write("first");
  });
  const abort = new AbortController();
  const open = async () => {
    const response = await serviceOverHttp({ baseUrl, apiKey: "key" })("/", { signal: abort.signal });
    return { failure: response.text().catch((error: unknown) => error) };
  };
  const { failure } = await open();
  for (let i = 0; i < 5; i++) {
    collectGarbage();
    await setImmediate();
  }
  abort.abort();
  expect(await failure).toMatchObject({ name: "AbortError" });
  await expect.poll(() => closed).toBe(1);
});
