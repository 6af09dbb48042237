import * as z from "zod";
import { describe, expect, test } from "vitest";
import { operation, type Method } from "../../../../src/service/http/operations/operation.ts";
import { paramNames } from "../../../../src/service/http/operations/operation-body.ts";
import { answering, type Answer } from "./answering.ts";

const named = (method: Method, path: string) =>
  operation({
    id: `${method} ${path}`,
    tag: "Things",
    summary: "A thing.",
    method,
    path,
    auth: "none",
    answer: { status: 200, description: "Its name.", schema: z.looseObject({}) },
    handler: ({ params }) => ({ name: `${method} ${path}`, params }),
  });

const app = answering([
  named("GET", "/api/things/:thing/"),
  named("GET", "/api/speech/voices"),
  named("DELETE", "/api/things/:thing/"),
  named("POST", "/api/things/:thing/parts/:part_id/"),
]);

const detailOf = ({ status, body }: Answer): [number, string] => [
  status,
  (body as { errors: { detail: string }[] }).errors[0]!.detail,
];

describe("a request", () => {
  test("is answered by the operation of its method and path", async () => {
    expect((await app.request("/api/things/lamp/", { method: "DELETE" })).body).toEqual({
      name: "DELETE /api/things/:thing/",
      params: { thing: "lamp" },
    });
    expect((await app.request("/api/things/a%20b/parts/c/", { method: "POST" })).body).toEqual({
      name: "POST /api/things/:thing/parts/:part_id/",
      params: { thing: "a b", part_id: "c" },
    });
    const head = await app.request("/api/things/lamp/", { method: "HEAD" });
    expect([head.status, head.body]).toEqual([200, ""]);
  });

  test("with another method is told which there are", async () => {
    const answer = await app.request("/api/things/lamp/", { method: "PUT" });
    expect(detailOf(answer)).toEqual([405, 'Method "PUT" not allowed. Allowed here: GET, DELETE.']);
    expect(answer.headers.get("allow")).toBe("GET, DELETE");
    expect((answer.body as { errors: { code: string }[] }).errors[0]!.code).toBe("method_not_allowed");
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
  ])("of %s, which no operation has: %s", async (path, detail) => {
    expect(detailOf(await app.request(path))).toEqual([404, detail]);
  });
});

test("the parameters of a path are its names after colons, in order", () => {
  expect(paramNames("/api/things/:thing/parts/:part_id/")).toEqual(["thing", "part_id"]);
  expect(paramNames("/api/things/")).toEqual([]);
});
