import type { ServerResponse } from "node:http";
import { serveLocally } from "../../../local-server.ts";

/** What a path of the website answers: a page, or something of its own. */
export type SampleAnswer = string | ((response: ServerResponse) => void);

/** A website of tests. */
export interface SampleWebsite {
  origin: string;
  /** Paths in the order in which they were asked for. */
  asked: string[];
  /** The answers by path. They may be changed. */
  answers: Record<string, SampleAnswer>;
}

/** A page of HTML. */
export const page = (title: string, body: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;

/** Answers with a status and a text. */
export const status =
  (code: number, text = "", headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(code, { "content-type": "text/html", ...headers }).end(text);

/** Answers with a file. */
export const file =
  (bytes: Uint8Array, type: string, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    const known = { "content-type": type, ...headers };
    const said = Object.entries(known).filter(([, value]) => value !== "");
    response.writeHead(200, Object.fromEntries(said)).end(bytes);
  };

/** Serves a website on a free port until the test ends. Paths without an answer are not found. */
export async function serveWebsite(answers: Record<string, SampleAnswer>): Promise<SampleWebsite> {
  const asked: string[] = [];
  const { origin } = await serveLocally((request, response) => {
    const path = request.url ?? "/";
    asked.push(path);
    const answer = answers[path];
    if (answer === undefined) status(404, "Not found")(response);
    else if (typeof answer === "string") {
      const type = path.endsWith(".xml")
        ? "application/xml"
        : path.endsWith(".txt")
          ? "text/plain"
          : "text/html";
      response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(answer);
    } else answer(response);
  });
  return { origin, asked, answers };
}
