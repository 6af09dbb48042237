import * as z from "zod";
import { describe, expect, test } from "vitest";
import { pageQuerySchema } from "../../../../src/protocol/schema/paging.ts";
import { listOperation } from "../../../../src/service/http/operations/list-operation.ts";
import type { PageRequest } from "../../../../src/service/store/store.ts";
import { answering, byNobody, byOperator, detailsOf, namedFields, type Answer } from "./answering.ts";

const asked: PageRequest[] = [];
const words = { tag: "Numbers", summary: "Lists numbers.", auth: "console" } as const;

/** A list of the numbers 1 to 5. */
const numbers = (id: string, more: object = {}) =>
  listOperation({
    ...{ ...words, path: `/api/${id}/`, id, description: "The numbers.", schema: z.array(z.int()) },
    query: pageQuerySchema.extend({ order: z.string().optional() }),
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

const cursor = (value: unknown) => `cursor=${Buffer.from(JSON.stringify(value)).toString("base64url")}`;

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
    const right = await app.request(`/api/numbers/?${cursor(["numbers", 0])}`);
    expect(right.body).toEqual([1, 2, 3, 4, 5]);
  });

  test.each([
    "cursor=no-cursor",
    cursor(["others", 2]),
    cursor(["numbers", -1]),
    cursor(["numbers", 1.5]),
    cursor(["numbers"]),
    cursor([2, "numbers"]),
    cursor(null),
  ])("refuses what is not one of its cursors: %s", async (wrong) => {
    const answer = await app.request(`/api/numbers/?${wrong}`);
    expect([answer.status, namedFields(answer)]).toEqual([400, { cursor: "invalid" }]);
    expect(detailsOf(answer)).toEqual(["This is not a cursor of this list."]);
  });

  test.each([
    ["0", "min_value"],
    ["1001", "max_value"],
    ["some", "invalid"],
  ])("refuses the limit %s: %s", async (limit, code) => {
    expect(namedFields(await app.request(`/api/numbers/?limit=${limit}`))).toEqual({ limit: code });
  });

  test("is read by the callers that it names", async () => {
    const statusFor = async (identity = byNobody, more = {}) =>
      (await answering([numbers("numbers", more)], identity).request("/api/numbers/")).status;
    expect(await statusFor()).toBe(401);
    expect(await statusFor(byOperator("viewer"))).toBe(200);
    expect(await statusFor(byOperator("viewer"), { role: "owner" })).toBe(403);
  });

  test("documents itself", () => {
    const { method, path, id, tag, summary, auth, answer } = numbers("numbers");
    expect({ tag, summary, auth }).toEqual(words);
    expect([method, path, id]).toEqual(["GET", "/api/numbers/", "numbers"]);
    expect(answer).toEqual({ status: 200, description: "The numbers.", schema: expect.anything() });
    expect("role" in numbers("numbers")).toBe(false);
    expect(numbers("numbers", { role: "owner" }).role).toBe("owner");
  });
});
