import * as z from "zod";
import { describe, expect, test } from "vitest";
import {
  operation,
  OtherAnswer,
  roleOf,
  TypedContent,
  type Auth,
  type Call,
} from "../../../../src/service/http/operations/operation.ts";
import { Fault } from "../../../../src/service/faults/fault.ts";
import { answering, byKey, byNobody, byOperator, namedFields } from "./answering.ts";

const path = "/api/v1/things/:thing/parts/:part/";
const address = "/api/v1/things/lamp/parts/bulb/";
const words = { id: "things", tag: "Things", summary: "A thing." };
const json = { status: 200, description: "The thing.", schema: z.looseObject({}) } as const;

const given = (of: Pick<Call<string, Auth, unknown, unknown>, "params" | "query" | "body">) => ({
  params: of.params,
  query: of.query,
  body: of.body,
});

describe("a request", () => {
  test("is handed over with what its path, query and body say", async () => {
    const change = operation({
      ...words,
      method: "PUT",
      path,
      auth: "key",
      query: { schema: z.object({ count: z.int().optional() }), form: { numbers: ["count"] } },
      body: { schema: z.object({ name: z.string() }) },
      answer: json,
      handler: (call) => ({ ...given(call), caller: call.caller, aborted: call.signal.aborted }),
    });
    const { status, body } = await answering([change]).send("PUT", `${address}?count=3`, { name: "A" });
    expect([status, body]).toEqual([
      200,
      {
        params: { thing: "lamp", part: "bulb" },
        query: { count: 3 },
        body: { name: "A" },
        caller: byKey,
        aborted: false,
      },
    ]);
  });

  test("without a query or a body in the definition has none", async () => {
    const read = operation({ ...words, method: "GET", path, auth: "key", answer: json, handler: given });
    const { body } = await answering([read]).request(`${address}?count=3`);
    expect(body).toEqual({ params: { thing: "lamp", part: "bulb" } });
  });

  test("is refused where its query or its body is wrong", async () => {
    const change = operation({
      ...words,
      method: "POST",
      path,
      auth: "key",
      query: { schema: z.object({ count: z.int().optional() }) },
      body: { schema: z.object({ name: z.string() }) },
      answer: json,
      handler: given,
    });
    const app = answering([change]);
    // Without `form` a number of the query is a text.
    const wrongQuery = await app.send("POST", `${address}?count=3`, { name: "A" });
    expect([wrongQuery.status, namedFields(wrongQuery)]).toEqual([400, { count: "invalid" }]);
    expect(namedFields(await app.send("POST", address, {}))).toEqual({ name: "required" });
  });

  test.each([
    ["/api/things/", "text/html", 406],
    ["/api/things/", "application/json", 200],
    ["/healthz", "text/html", 200],
    ["/other/api/things/", "text/html", 200],
  ])("of %s that accepts %s is answered with %i", async (of, accept, status) => {
    const read = operation({
      ...words,
      method: "GET",
      path: of,
      auth: "none",
      answer: json,
      handler: () => ({}),
    });
    expect((await answering([read]).request(of, { headers: { Accept: accept } })).status).toBe(status);
  });

  test("may accept anything where the answer is not JSON, or where another operation gets it too", async () => {
    const page = operation({
      ...words,
      method: "GET",
      path: "/api/page/",
      auth: "none",
      answer: { status: 200, description: "A page.", contentType: "text/html" },
      handler: () => "page",
    });
    const shared = operation({
      ...words,
      method: "GET",
      path: "/api/shared/",
      auth: "none",
      acceptsAll: true,
      answer: json,
      handler: () => ({}),
    });
    const app = answering([page, shared]);
    for (const of of ["/api/page/", "/api/shared/"])
      expect((await app.request(of, { headers: { Accept: "image/png" } })).status).toBe(200);
  });
});

describe("who may call", () => {
  const outcome = async (auth: Auth, identity: Parameters<typeof answering>[1], more: object = {}) => {
    const act = operation({
      ...words,
      method: "POST",
      path: "/api/a/",
      auth,
      answer: json,
      handler: ({ caller }) => ({ caller: (caller as { by: string } | null)?.by ?? null }),
      ...more,
    });
    const { status, body } = await answering([act], identity).send(
      (more as { method?: string }).method ?? "POST",
      "/api/a/",
      undefined,
    );
    return status === 200 ? (body as { caller: string | null }).caller : status;
  };

  test("is everybody for `none` and `session`, without a caller", async () => {
    for (const auth of ["none", "session"] as const)
      for (const identity of [byNobody, byKey, byOperator("owner")])
        expect(await outcome(auth, identity)).toBeNull();
  });

  test.each<[Auth, string | number, string | number]>([
    ["key", "key", 401],
    ["voices", "key", 401],
    ["console", "key", "operator"],
    ["operator", 403, "operator"],
  ])("for %s: a key %s, an operator %s, nobody else", async (auth, key, operator) => {
    expect(await outcome(auth, byKey)).toBe(key);
    expect(await outcome(auth, byOperator("owner"))).toBe(operator);
    expect(await outcome(auth, byNobody)).toBe(401);
  });

  test("of the operators is an editor for changes and a viewer for reading, unless the operation says more", async () => {
    expect(await outcome("console", byOperator("viewer"))).toBe(403);
    expect(await outcome("console", byOperator("editor"))).toBe("operator");
    expect(await outcome("console", byOperator("viewer"), { method: "GET" })).toBe("operator");
    expect(await outcome("console", byOperator("editor"), { role: "owner" })).toBe(403);
    expect(await outcome("console", byKey, { role: "owner" })).toBe(403);
    expect(await outcome("console", byOperator("viewer"), { role: "viewer" })).toBe("operator");
    expect(await outcome("key", byKey, { role: "owner" })).toBe("key");
  });

  test("is what `roleOf` says", () => {
    expect(roleOf({ method: "GET" })).toBe("viewer");
    expect(roleOf({ method: "DELETE" })).toBe("editor");
    expect(roleOf({ method: "GET", role: "owner" })).toBe("owner");
  });
});

describe("an answer", () => {
  const answered = async (answer: object, result: unknown) => {
    const read = operation({
      ...words,
      method: "GET",
      path: "/api/a/",
      auth: "none",
      answer: { description: "It.", ...answer } as never,
      handler: () => result as never,
    });
    const { status, headers, body } = await answering([read]).request("/api/a/");
    return { status, type: headers.get("content-type"), other: headers.get("x-other"), body };
  };

  test("is JSON with the operation's status", async () => {
    expect(await answered({ ...json, status: 201 }, { a: 1 })).toEqual({
      status: 201,
      type: "application/json",
      other: null,
      body: { a: 1 },
    });
  });

  test("is JSON with another status where the handler says so", async () => {
    expect(await answered(json, new OtherAnswer(409, { b: 2 }))).toMatchObject({
      status: 409,
      body: { b: 2 },
    });
  });

  test("has no body where the operation has none", async () => {
    expect(await answered({ status: 204 }, undefined)).toMatchObject({ status: 204, body: "" });
  });

  test.each([
    ["a text", "some text"],
    ["bytes", new TextEncoder().encode("some text")],
    ["a stream", new Blob(["some text"]).stream()],
  ])("is content of the operation's media type: %s", async (_, content) => {
    const headers = { "X-Other": "yes" };
    expect(await answered({ status: 200, contentType: "text/csv", headers }, content)).toEqual({
      status: 200,
      type: "text/csv",
      other: "yes",
      body: "some text",
    });
  });

  test("is content of the media type that the handler names", async () => {
    expect(
      await answered({ status: 200, contentType: "image/*" }, new TypedContent("x", "image/webp")),
    ).toMatchObject({ type: "image/webp", body: "x" });
  });

  test("is never made of something else", async () => {
    await expect(answered({ status: 200, contentType: "text/csv" }, { a: 1 })).rejects.toThrow(TypeError);
  });
});

describe("the audit log", () => {
  const entryOf = async (definition: object = {}, identity = byOperator("owner")) => {
    const change = operation({
      ...words,
      method: "PUT",
      path,
      auth: "console",
      answer: json,
      handler: () => ({ name: "New" }),
      ...definition,
    });
    const app = answering([change], identity);
    await app.send(change.method, change.path.replace(":thing", "lamp").replace(":part", "bulb"), undefined);
    return app.changes.map(({ caller, operation: id, target }) => [caller.by, id, target]);
  };

  test("gets what an operator or a key changed, by what the path names last", async () => {
    expect(await entryOf()).toEqual([["operator", "things", { id: "bulb" }]]);
    expect(await entryOf({}, byKey)).toEqual([["key", "things", { id: "bulb" }]]);
    expect(await entryOf({ path: "/api/v1/things/:thing/" })).toEqual([
      ["operator", "things", { id: "lamp" }],
    ]);
  });

  test("gets what the operation says that it changed", async () => {
    const target = (call: { params: { thing: string } }, made: { name: string }) => ({
      id: call.params.thing,
      name: made.name,
    });
    expect(await entryOf({ target })).toEqual([["operator", "things", { id: "lamp", name: "New" }]]);
    expect(await entryOf({ target: () => null })).toEqual([["operator", "things", null]]);
  });

  test("gets a change without a target where the path names nothing", async () => {
    const change = operation({
      ...words,
      method: "POST",
      path: "/api/a/",
      auth: "operator",
      answer: json,
      handler: () => ({}),
    });
    const app = answering([change], byOperator("owner"));
    await app.send("POST", "/api/a/", undefined);
    expect(app.changes.map(({ target }) => target)).toEqual([null]);
  });

  test.each([
    ["what is only read", { method: "GET" }],
    ["what changes nothing", { changesNothing: true }],
    ["what was not done", { handler: () => new OtherAnswer(409, {}) }],
    ["calls of sessions", { auth: "session" }],
    ["calls that need a key", { auth: "key" }],
  ])("does not get %s", async (_, definition) => {
    expect(await entryOf(definition, byKey)).toEqual([]);
    expect(await entryOf(definition)).toEqual([]);
  });

  test("does not get what failed", async () => {
    const handler = () => {
      throw Fault.notFound();
    };
    expect(await entryOf({ handler })).toEqual([]);
  });
});

test("an operation keeps what documents it, and nothing else", () => {
  const read = operation({
    ...words,
    method: "GET",
    path,
    auth: "key",
    answer: json,
    handler: given,
    target: () => null,
  });
  const { respond, ...documented } = read;
  expect(typeof respond).toBe("function");
  expect(documented).toEqual({ ...words, method: "GET", path, auth: "key", answer: json });
});
