import { safeParse } from "zod/v4/core";
import { expect } from "vitest";
import type { HttpApp } from "../../src/service/http/http-app.ts";
import { answersOf, type DocumentedAnswer } from "../../src/service/http/openapi/openapi-document.ts";
import type { Operation } from "../../src/service/http/operations/operation.ts";

const rateLimitHeaders = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];

function pathPattern(path: string): RegExp {
  const source = path.replace(/[.]/g, "\\.").replace(/:[a-z_]+/g, "[^/]+");
  return new RegExp(`^${source}$`);
}

type DocumentedOperation = Operation & { answers: ReadonlyMap<number, DocumentedAnswer> };

/** Fails unless one of the documented schemas accepts the body and has all its fields. */
function expectBody({ schemas }: DocumentedAnswer, body: unknown, where: string): void {
  const parsed = schemas.map((schema) => safeParse(schema, body));
  const taken = parsed.filter((result) => result.success);
  if (taken.length === 0)
    expect.fail(`${where}: ${JSON.stringify(body)} is not as documented: ${String(parsed[0]?.error)}`);
  expect(
    taken.map(({ data }) => data),
    `${where}: fields that are not documented`,
  ).toContainEqual(body);
}

/** HEAD is GET without the body (RFC 9110, 9.3.2). */
async function expectHead(operation: DocumentedOperation, response: Response): Promise<void> {
  expect([...operation.answers.keys()], `HEAD ${operation.path}`).toContain(response.status);
  expect(await response.clone().text(), `HEAD ${operation.path}`).toBe("");
}

async function expectAnswer(operation: DocumentedOperation, response: Response): Promise<void> {
  const where = `${operation.method} ${operation.path} ${response.status}`;
  const answer = operation.answers.get(response.status);
  if (!answer) expect.fail(`${where} is not documented`);
  const type = response.headers.get("content-type")?.split(";")[0] ?? null;
  if (answer.schemas.length > 0) {
    expect(type, where).toBe("application/json");
    expectBody(answer, await response.clone().json(), where);
  } else if (answer.contentType?.endsWith("/*"))
    expect(type?.startsWith(answer.contentType.slice(0, -1)), where).toBe(true);
  else expect(type, where).toBe(answer.contentType);
}

/** Requests to an app. Every answer is checked against the interface's description. */
export function checkedRequests({
  app,
  operations: registered,
}: HttpApp): (path: string, init?: RequestInit) => Promise<Response> {
  const operations = registered.map((operation) => ({
    ...operation,
    answers: answersOf(operation),
    pattern: pathPattern(operation.path),
  }));
  return async (path, init = {}) => {
    const response = await app.request(path, init);
    for (const name of rateLimitHeaders)
      expect(response.headers.get(name), `${name} of ${path}`).toMatch(/^\d+$/);
    // The path as the app sees it: "." and ".." are removed from a URL.
    const { pathname } = new URL(path, "http://localhost");
    const method = init.method ?? "GET";
    const named = operations.filter(({ pattern }) => pattern.test(pathname));
    const operation = named.find((one) => one.method === method);
    const read = method === "HEAD" ? named.find((one) => one.method === "GET") : undefined;
    if (operation) await expectAnswer(operation, response);
    else if (read) await expectHead(read, response);
    else if (method !== "OPTIONS")
      // Under a session's path an invalid key is refused first, whatever the path: 401, 403, 404.
      expect([401, 403, 404, 405, 406, 429], `${method} ${path}`).toContain(response.status);
    return response;
  };
}
