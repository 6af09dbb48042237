import * as z from "zod";
import { describe, expect, test } from "vitest";
import { pageQuerySchema } from "../../../../src/protocol/schema/paging.ts";
import { listOperation } from "../../../../src/service/http/operations/list-operation.ts";
import type { PageRequest } from "../../../../src/service/store/store.ts";
import { answering, byNobody, byOperator, namedFields, type Answer } from "./answering.ts";

const asked: PageRequest[] = [];

/** A list of the numbers 1 to 5. */
const numbers = (id: string, more: object = {}) =>
  listOperation({
    path: `/api/${id}/`,
    id,
    tag: "Numbers",
    summary: "Lists numbers.",
    auth: "console",
    query: pageQuerySchema.extend({ order: z.string().optional() }),
    description: "The numbers.",
    schema: z.array(z.int()),
    read: (_call, page) => {
      asked.push(page);
      const from = page.after ?? 0;
      const items = [1, 2, 3, 4, 5].slice(from, page.limit === undefined ? 5 : from + page.limit);
      const end = from + items.length;
      return Promise.resolve({ items, next: end < 5 ? end : null });
    },
    ...more,
  });

const app = answering([numbers("numbers"), numbers("others")]);

const nextOf = ({ headers }: Answer): string | null =>
  /^<(\?[^>]+)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1] ?? null;

describe("a list", () => {
  test("is answered whole without a limit", async () => {
    asked.length = 0;
    const all = await app.request("/api/numbers/");
    expect([all.status, all.body, all.headers.get("link")]).toEqual([200, [1, 2, 3, 4, 5], null]);
    expect(asked).toEqual([{ limit: undefined, after: undefined }]);
  });

  test("names the next page with the request's other parameters", async () => {
    const first = await app.request("/api/numbers/?limit=2&order=up");
    expect(first.body).toEqual([1, 2]);
    const next = nextOf(first)!;
    expect(new URLSearchParams(next).get("order")).toBe("up");
    const second = await app.request(`/api/numbers/${next}`);
    expect(second.body).toEqual([3, 4]);
    const last = await app.request(`/api/numbers/${nextOf(second)}`);
    expect([last.body, nextOf(last)]).toEqual([[5], null]);
  });

  test("refuses what is not one of its cursors", async () => {
    const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    for (const wrong of [
      "no-cursor",
      cursor(["others", 2]),
      cursor(["numbers", -1]),
      cursor(["numbers", 1.5]),
      cursor(["numbers"]),
      cursor([2, "numbers"]),
      cursor(null),
    ]) {
      const answer = await app.request(`/api/numbers/?cursor=${wrong}`);
      expect([answer.status, namedFields(answer)]).toEqual([400, { cursor: "invalid" }]);
      expect((answer.body as { errors: { detail: string }[] }).errors[0]!.detail).toBe(
        "This is not a cursor of this list.",
      );
    }
    const right = await app.request(`/api/numbers/?cursor=${cursor(["numbers", 0])}`);
    expect(right.body).toEqual([1, 2, 3, 4, 5]);
    expect(namedFields(await app.request("/api/numbers/?limit=0"))).toEqual({ limit: "min_value" });
  });

  test("is read by the callers that it names", async () => {
    expect((await answering([numbers("numbers")], byNobody).request("/api/numbers/")).status).toBe(401);
    const viewer = byOperator("viewer");
    expect((await answering([numbers("numbers")], viewer).request("/api/numbers/")).status).toBe(200);
    const forOwners = numbers("numbers", { role: "owner" });
    expect((await answering([forOwners], viewer).request("/api/numbers/")).status).toBe(403);
    expect([numbers("numbers").role, forOwners.role]).toEqual([undefined, "owner"]);
  });

  test("documents itself", () => {
    const { method, path, id, tag, summary, auth, answer } = numbers("numbers");
    expect({ method, path, id, tag, summary, auth, answer }).toEqual({
      method: "GET",
      path: "/api/numbers/",
      id: "numbers",
      tag: "Numbers",
      summary: "Lists numbers.",
      auth: "console",
      answer: { status: 200, description: "The numbers.", schema: expect.anything() },
    });
    expect("role" in numbers("numbers")).toBe(false);
  });
});
