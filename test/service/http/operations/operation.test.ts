import * as z from "zod";
import { describe, expect, test } from "vitest";
import {
  OtherAnswer,
  requireJsonAccepted,
  roleOf,
  TypedContent,
  type Auth,
  type Method,
} from "../../../../src/service/http/operations/operation.ts";
import { paramNames } from "../../../../src/service/http/operations/operation-body.ts";
import { Fault } from "../../../../src/service/faults/fault.ts";
import {
  answering,
  byKey,
  byNobody,
  byOperator,
  detailsOf,
  namedFields,
  operationWith,
} from "./answering.ts";

const path = "/api/v1/things/:thing/parts/:part/";
const address = "/api/v1/things/lamp/parts/bulb/";

const given = ({ params, query, body, caller }: Record<string, unknown>) => ({ params, query, body, caller });
const count = z.object({ count: z.int().optional() });

describe("a request", () => {
  test("is handed over with what its path, query and body say", async () => {
    const query = { schema: count, form: { numbers: ["count"] } };
    const body = { schema: z.object({ name: z.string() }) };
    const change = operationWith({ method: "PUT", path, auth: "key", query, body, handler: given });
    const answer = await answering([change]).send("PUT", `${address}?count=3`, { name: "A" });
    const params = { thing: "lamp", part: "bulb" };
    const told = { params, query: { count: 3 }, body: { name: "A" }, caller: byKey };
    expect([answer.status, answer.body]).toEqual([200, told]);
    const read = operationWith({ method: "GET", path, auth: "key", handler: given });
    expect((await answering([read]).request(`${address}?count=3`)).body).toEqual({ params, caller: byKey });
  });

  test("is refused where its query or its body is wrong", async () => {
    const body = { schema: z.object({ name: z.string() }) };
    const app = answering([operationWith({ path, query: { schema: count }, body })]);
    // Without `form` a number of the query is a text.
    const wrongQuery = await app.send("POST", `${address}?count=3`, { name: "A" });
    expect([wrongQuery.status, namedFields(wrongQuery)]).toEqual([400, { count: "invalid" }]);
    expect(namedFields(await app.send("POST", address, {}))).toEqual({ name: "required" });
  });

  const page = { status: 200, description: "A page.", contentType: "text/html" };

  test.each([
    ["/api/things/", "text/html", 406, {}],
    ["/api/things/", "application/json", 200, {}],
    ["/healthz", "text/html", 200, {}],
    ["/other/api/things/", "text/html", 200, {}],
    // Where the answer is not JSON, or where another operation gets it too.
    ["/api/page/", "image/png", 200, { answer: page, handler: () => "page" }],
    ["/api/shared/", "image/png", 200, { acceptsAll: true }],
  ])("of %s that accepts %s is answered with %i", async (of, accept, status, more) => {
    const app = answering([operationWith({ method: "GET", path: of, ...more })]);
    expect((await app.request(of, { headers: { Accept: accept } })).status).toBe(status);
  });

  test.each([
    ...[null, "", "  ", "*/*", "application/json", "Application/JSON", "text/html, application/json"],
    ...["text/html,*/*;q=0.8", "application/*", "application/json;q=0.001", "application/json;q=0.0001"],
    ...["application/json; charset=utf-8", "application/json;q=0, application/json"],
    ...["application/json, application/json;q=0", "application/json, */*;q=0"],
    ...["application/json, application/*;q=0", "application/*, */*;q=0", "application/json;xq=0"],
    ...["application/json;q=0x", "application/json;q=0.0x"],
  ])("whose Accept is %j lets JSON through", (accept) => {
    expect(() => requireJsonAccepted(accept)).not.toThrow();
  });

  test.each([
    ...["text/html", "application/xml, text/*", "application/json;q=0", "application/json; Q=0"],
    ...["application/json;q=0.000", "application/json;q=0.", "application/json;v=1;q=0"],
    ...["*/*, application/json;q=0", "application/*, application/json;q=0", "*/*, application/*;q=0"],
    ...["*/*;q=0", ";,;", "application/jsonp"],
  ])("whose Accept is %j excludes it", (accept) => {
    const errors = [expect.objectContaining({ code: "not_acceptable", attr: null })];
    const refusal = { status: 406, body: { type: "client_error", errors } };
    expect(() => requireJsonAccepted(accept)).toThrow(expect.objectContaining(refusal));
  });
});

describe("the path of a request", () => {
  const named = (method: Method, of: string) =>
    operationWith({
      ...{ method, path: of, id: `${method} ${of}` },
      handler: ({ params }: { params: object }) => ({ name: `${method} ${of}`, params }),
    });
  const app = answering([
    named("GET", "/api/things/:thing/"),
    named("GET", "/api/speech/voices"),
    named("DELETE", "/api/things/:thing/"),
    named("POST", "/api/things/:thing/parts/:part_id/"),
  ]);

  test("and its method say which operation answers", async () => {
    const removed = await app.request("/api/things/lamp/", { method: "DELETE" });
    expect(removed.body).toEqual({ name: "DELETE /api/things/:thing/", params: { thing: "lamp" } });
    const added = await app.request("/api/things/a%20b/parts/c/", { method: "POST" });
    const params = { thing: "a b", part_id: "c" };
    expect(added.body).toEqual({ name: "POST /api/things/:thing/parts/:part_id/", params });
    const head = await app.request("/api/things/lamp/", { method: "HEAD" });
    expect([head.status, head.body]).toEqual([200, ""]);
  });

  test("with another method is told which there are", async () => {
    const answer = await app.request("/api/things/lamp/", { method: "PUT" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, DELETE"]);
    expect(detailsOf(answer)).toEqual(['Method "PUT" not allowed. Allowed here: GET, DELETE.']);
    expect(namedFields(answer)).toEqual({ null: "method_not_allowed" });
  });

  test.each([
    ["/api/things/lamp", "Not found. The path ends with a slash: /api/things/lamp/"],
    ["/api/things/lamp/parts/bulb", "Not found. The path ends with a slash: /api/things/lamp/parts/bulb/"],
    ["/api/speech/voices/", "Not found. The path has no slash at its end: /api/speech/voices"],
    ["/api/other/", "Not found."],
    ["/api/things/lamp/other", "Not found."],
    ["/before/api/things/lamp", "Not found."],
    ["/api/speech/voices/more/", "Not found."],
    ["/api/things/", "Not found."],
  ])("%s, which no operation has: %s", async (of, detail) => {
    const answer = await app.request(of);
    expect([answer.status, detailsOf(answer)]).toEqual([404, [detail]]);
  });

  test("has its names after colons as parameters, in order", () => {
    expect(paramNames("/api/things/:thing/parts/:part_id/")).toEqual(["thing", "part_id"]);
    expect(paramNames("/api/things/")).toEqual([]);
  });
});

describe("who may call", () => {
  const outcome = async (
    auth: Auth,
    identity: Parameters<typeof answering>[1],
    more: { method?: Method; role?: string } = {},
  ) => {
    const handler = ({ caller }: { caller: { by: string } | null }) => ({ caller: caller?.by ?? null });
    const app = answering([operationWith({ auth, handler, ...more })], identity);
    const { status, body } = await app.send(more.method ?? "POST", "/api/a/", undefined);
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

  test.each([
    ["console", byOperator("viewer"), {}, 403],
    ["console", byOperator("editor"), {}, "operator"],
    ["console", byOperator("viewer"), { method: "GET" }, "operator"],
    ["console", byOperator("editor"), { role: "owner" }, 403],
    ["console", byKey, { role: "owner" }, 403],
    ["console", byOperator("viewer"), { role: "viewer" }, "operator"],
    ["key", byKey, { role: "owner" }, "key"],
  ] as const)(
    "is an editor for changes and a viewer for reading, unless it says more: %s %j %j",
    async (...row) => {
      const [auth, identity, more, expected] = row;
      expect(await outcome(auth, identity, more)).toBe(expected);
    },
  );

  test("is what `roleOf` says", () => {
    const roles = [{ method: "GET" }, { method: "DELETE" }, { method: "GET", role: "owner" }] as const;
    expect(roles.map(roleOf)).toEqual(["viewer", "editor", "owner"]);
  });
});

describe("an answer", () => {
  const answered = async (answer: object, result: unknown) => {
    const more = { description: "It.", ...answer };
    const read = operationWith({ method: "GET", answer: more, handler: () => result });
    const { status, headers, body } = await answering([read]).request("/api/a/");
    return { status, type: headers.get("content-type"), other: headers.get("x-other"), body };
  };
  const json = { status: 201, schema: z.looseObject({}) };
  const csv = { status: 200, contentType: "text/csv", headers: { "X-Other": "yes" } };
  const asCsv = { status: 200, type: "text/csv", other: "yes", body: "some text" };
  const asJson = { type: "application/json", other: null };

  test.each<[what: string, answer: object, result: unknown, expected: object]>([
    ["JSON with the operation's status", json, { a: 1 }, { ...asJson, status: 201, body: { a: 1 } }],
    [
      "JSON with the handler's status",
      json,
      new OtherAnswer(409, { b: 2 }),
      { ...asJson, status: 409, body: { b: 2 } },
    ],
    [
      "nothing where the operation has no body",
      { status: 204 },
      undefined,
      { status: 204, type: null, other: null, body: "" },
    ],
    ["a text of the operation's media type", csv, "some text", asCsv],
    ["bytes of the operation's media type", csv, new TextEncoder().encode("some text"), asCsv],
    ["a stream of the operation's media type", csv, new Blob(["some text"]).stream(), asCsv],
    [
      "content of the handler's media type",
      csv,
      new TypedContent("x", "image/webp"),
      { ...asCsv, type: "image/webp", body: "x" },
    ],
  ])("is %s", async (_, answer, result, expected) => {
    expect(await answered(answer, result)).toEqual(expected);
  });

  test("is never made of something else", async () => {
    await expect(answered(csv, { a: 1 })).rejects.toThrow(TypeError);
  });
});

describe("the audit log", () => {
  const entryOf = async (definition: object = {}, identity = byOperator("owner")) => {
    const handler = () => ({ name: "New" });
    const change = operationWith({ method: "PUT", path, auth: "console", handler, ...definition });
    const app = answering([change], identity);
    await app.send(change.method, change.path.replace(":thing", "lamp").replace(":part", "bulb"), undefined);
    return app.changes.map(({ caller, operation: id, target }) => [caller.by, id, target]);
  };
  const entry = (target: object | null, by = "operator") => [[by, "things", target]];

  test("gets what an operator or a key changed, by what the path names last", async () => {
    expect(await entryOf()).toEqual(entry({ id: "bulb" }));
    expect(await entryOf({}, byKey)).toEqual(entry({ id: "bulb" }, "key"));
    expect(await entryOf({ path: "/api/v1/things/:thing/" })).toEqual(entry({ id: "lamp" }));
    expect(await entryOf({ path: "/api/a/", auth: "operator" })).toEqual(entry(null));
  });

  test("gets what the operation says that it changed", async () => {
    const target = ({ params }: { params: { thing: string } }, { name }: { name: string }) => ({
      ...{ id: params.thing, name },
    });
    expect(await entryOf({ target })).toEqual(entry({ id: "lamp", name: "New" }));
    expect(await entryOf({ target: () => null })).toEqual(entry(null));
  });

  const failing = () => {
    throw Fault.notFound();
  };

  test.each([
    ["what is only read", { method: "GET" }],
    ["what changes nothing", { changesNothing: true }],
    ["what was not done", { handler: () => new OtherAnswer(409, {}) }],
    ["what failed", { handler: failing }],
    ["calls of sessions", { auth: "session" }],
    ["calls that need a key", { auth: "key" }],
  ])("does not get %s", async (_, definition) => {
    expect(await entryOf(definition, byKey)).toEqual([]);
    expect(await entryOf(definition)).toEqual([]);
  });
});

test("an operation keeps what documents it, and nothing else", () => {
  const answer = { status: 200, description: "The thing.", schema: z.looseObject({}) };
  const documents = { id: "i", tag: "T", summary: "S.", method: "GET", path, auth: "key", answer };
  const { respond, ...documented } = operationWith({ ...documents, handler: given, target: () => null });
  expect(typeof respond).toBe("function");
  expect(documented).toEqual(documents);
});
