import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { ApiClient } from "../../../src/console/api/api-client.ts";
import type { ApiError } from "../../../src/console/api/api-error.ts";

const origin = "https://visavis.example";
const schema = z.object({ name: z.string() });

/** A client of a server with one operation. `signInAgain` counts how often somebody is asked to sign in. */
function clientOf(app: Pick<Hono, "fetch">, signsIn = false) {
  let asked = 0;
  const client = new ApiClient({
    origin,
    fetch: async (address, init) => app.fetch(new Request(address, init)),
    signInAgain: () => {
      asked += 1;
      return Promise.resolve(signsIn);
    },
  });
  return { client, asked: () => asked };
}

const failureOf = (answer: Promise<unknown>): Promise<ApiError> =>
  answer.then(
    () => Promise.reject(new Error("The request succeeded.")),
    (error: unknown) => error as ApiError,
  );

describe("a request", () => {
  test("sends its query and body as the console's own page, and parses the answer", async () => {
    const app = new Hono().post("/api/names/", async (c) => {
      const { last } = z.object({ last: z.string() }).parse(await c.req.json());
      const isOwn = c.req.header("X-Requested-With") !== undefined;
      return c.json({ name: `${c.req.query("of")} ${last}`, asked: c.req.queries() }, isOwn ? 200 : 403);
    });
    const { client } = clientOf(app);
    const query = { of: "Ada", left: undefined };
    const asked = schema.extend({ asked: z.record(z.string(), z.array(z.string())) });
    const request = { method: "POST", query, body: { last: "Lovelace" }, schema: asked } as const;
    expect(await client.request("/api/names/", request)).toEqual({
      name: "Ada Lovelace",
      asked: { of: ["Ada"] },
    });
  });

  test("fails with the code unreadable for an answer in another form", async () => {
    const app = new Hono().get("/one/", (c) => c.json({ name: 1 })).get("/two/", (c) => c.text("<html>"));
    const { client } = clientOf(app);
    for (const path of ["/one/", "/two/"])
      expect(await failureOf(client.request(path, { schema }))).toMatchObject({ code: "unreadable" });
  });

  test("that a session's end refuses is sent again once somebody has signed in", async () => {
    let calls = 0;
    const app = new Hono().get("/", (c) => (calls++ === 0 ? c.json({}, 401) : c.json({ name: "Ada" })));
    const { client, asked } = clientOf(app, true);
    expect(await client.request("/", { schema })).toEqual({ name: "Ada" });
    expect({ calls, asked: asked() }).toEqual({ calls: 2, asked: 1 });
  });

  test("that a session's end refuses fails where nobody signs in, and nobody is asked for a guest", async () => {
    const app = new Hono().get("/", (c) => c.json({}, 401));
    const { client, asked } = clientOf(app);
    expect(await failureOf(client.request("/", { isGuest: true }))).toMatchObject({ code: "expired" });
    expect(asked()).toBe(0);
    expect(await failureOf(client.request("/"))).toMatchObject({ code: "expired", status: 401 });
    expect(asked()).toBe(1);
  });

  test("without a server fails with the code network, and an aborted one with the signal's reason", async () => {
    const client = new ApiClient({
      origin,
      fetch: (_address, init) => {
        init?.signal?.throwIfAborted();
        return Promise.reject(new TypeError("Failed to fetch"));
      },
      signInAgain: () => Promise.resolve(false),
    });
    expect(await failureOf(client.request("/"))).toMatchObject({ code: "network", status: 0 });
    const reason = new Error("The page was left.");
    await expect(client.request("/", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe("a refusal", () => {
  test("names the wrong fields with their reasons", async () => {
    const errors = [{ code: "invalid", detail: "Set a name.", attr: "name" }];
    const app = new Hono().put("/", (c) => c.json({ type: "validation_error", errors }, 400));
    expect(await failureOf(clientOf(app).client.request("/", { method: "PUT" }))).toMatchObject({
      code: "invalid",
      message: "Set a name.",
      fields: { name: "Set a name." },
    });
  });

  test("says how long to wait and how many attempts are left", async () => {
    const headers = { "Retry-After": "7", "X-RateLimit-Remaining": "3" };
    const app = new Hono().get("/", (c) => c.json({}, 429, headers));
    expect(await failureOf(clientOf(app).client.request("/"))).toMatchObject({
      code: "rate_limited",
      retryAfterSec: 7,
      attemptsLeft: 3,
    });
  });
});

test("a page of a list names the cursor of the next one, and the last page names none", async () => {
  const app = new Hono().get("/names/", (c) => {
    if (c.req.query("cursor") !== undefined) return c.json(["Grace"]);
    return c.json(["Ada"], 200, { Link: '<?limit=1&cursor=a%2Bb>; rel="next"' });
  });
  const { client } = clientOf(app);
  const names = z.array(z.string());
  const first = await client.page("/names/", { query: { limit: 1 }, schema: names });
  expect(first).toEqual({ items: ["Ada"], next: "a+b" });
  expect(await client.page("/names/", { query: { cursor: "a+b" }, schema: names })).toEqual({
    items: ["Grace"],
    next: null,
  });
});
