import type { Hono } from "hono";
import { safeParse } from "zod/v4/core";
import { expect } from "vitest";
import { documentedOperations } from "../../src/service/http/documented-operations.ts";
import type { DocumentedAnswer, DocumentedOperation } from "../../src/service/http/documented-operations.ts";
import { registeredRoutes } from "../../src/service/http/routing.ts";

const rateLimitHeaders = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];

export function pathPattern(path: string): RegExp {
  const source = path.replace(/[.]/g, "\\.").replace(/:[a-z_]+/g, "[^/]+");
  return new RegExp(`^${source}$`);
}

/** Fails unless one of the documented schemas takes the body and knows every field of it. */
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

/** Requests to an app whose every answer is held against the interface's description. */
export function checkedRequests(app: Hono): (path: string, init?: RequestInit) => Promise<Response> {
  const operations = documentedOperations(app).map((operation) => ({
    ...operation,
    pattern: pathPattern(operation.path),
  }));
  const described = new Set(operations.map(({ method, path }) => `${method} ${path}`));
  const others = registeredRoutes(app)
    .filter(({ method, path }) => !described.has(`${method} ${path}`))
    .map(({ path }) => pathPattern(path));
  return async (path, init = {}) => {
    const response = await app.request(path, init);
    for (const name of rateLimitHeaders)
      expect(response.headers.get(name), `${name} of ${path}`).toMatch(/^\d+$/);
    // What the app was asked: a URL loses its "." and ".." on the way.
    const { pathname } = new URL(path, "http://localhost");
    const method = init.method ?? "GET";
    const named = operations.filter(({ pattern }) => pattern.test(pathname));
    const operation = named.find((one) => one.method === method);
    const read = method === "HEAD" ? named.find((one) => one.method === "GET") : undefined;
    if (operation) await expectAnswer(operation, response);
    else if (read) await expectHead(read, response);
    else if (method !== "OPTIONS" && !others.some((pattern) => pattern.test(pathname)))
      // A key that opens nothing is refused first, under a session whatever the path: 401, 403, 404.
      expect([401, 403, 404, 405, 406, 429], `${method} ${path}`).toContain(response.status);
    return response;
  };
}
