import { describe, expect, it } from "vitest";
import { originVerdict } from "../../../../src/service/administration/contexts/origin-check.ts";

const own = "https://talk.example";
const shop = "https://shop.example";

describe("whether a page may show the avatar, and why", () => {
  it.each([
    ["https://shop.example/help", [shop], "listed", shop, "Yes. https://shop.example is on the list."],
    [
      own,
      [],
      "own",
      null,
      "Yes. https://talk.example is this server, whose own pages may always show the avatar.",
    ],
    [
      "shop",
      [shop],
      "not_an_address",
      null,
      "This is not the address of a page. Paste it as the browser shows it, with https://.",
    ],
    [
      "not a page",
      [shop],
      "not_an_address",
      null,
      "This is not the address of a page. Paste it as the browser shows it, with https://.",
    ],
    [shop, [], "nothing_listed", null, "No. The list is empty; add https://shop.example."],
    [
      "http://shop.example",
      [shop],
      "other_scheme",
      shop,
      "No. This address begins with http, the one on the list with https. Browsers see them as two sites.",
    ],
    [
      "https://shop.example:8443",
      [shop],
      "other_port",
      shop,
      "No. https://shop.example is on the list, and browsers see https://shop.example:8443 as another site because of its port.",
    ],
    [
      "https://www.shop.example",
      [shop],
      "with_www",
      shop,
      "No. https://shop.example is on the list without www., and browsers see https://www.shop.example as another site.",
    ],
    [
      shop,
      ["https://www.shop.example"],
      "without_www",
      "https://www.shop.example",
      "No. https://www.shop.example is on the list with www., and browsers see https://shop.example as another site.",
    ],
    [
      "https://help.shop.example",
      [shop],
      "other_part",
      shop,
      "No. https://shop.example is on the list, and https://help.shop.example is another part of that site. Add it too.",
    ],
    [
      shop,
      ["https://help.shop.example"],
      "other_part",
      "https://help.shop.example",
      "No. https://help.shop.example is on the list, and https://shop.example is another part of that site. Add it too.",
    ],
    ["https://myshop.example", [shop], "not_listed", null, "No. https://myshop.example is not on the list."],
    [shop, ["https://myshop.example"], "not_listed", null, "No. https://shop.example is not on the list."],
    [shop, ["no address"], "not_listed", null, "No. https://shop.example is not on the list."],
  ])("%s with %j: %s", (page, allowed, reason, entry, detail) => {
    const verdict = originVerdict(page, allowed, own);
    expect(verdict).toEqual({
      allowed: reason === "listed" || reason === "own",
      origin: reason === "not_an_address" ? null : new URL(page).origin,
      reason,
      entry,
      detail,
    });
  });

  it.each([
    ["  shop.example/help ", "https://shop.example"],
    ["HTTP://shop.example", "http://shop.example"],
    ["http://localhost:5173", "http://localhost:5173"],
    ["localhost", "https://localhost"],
    ["localhost:5173", "https://localhost:5173"],
    ["http://[::1]:3000", "http://[::1]:3000"],
    ["ftp://shop.example", null],
    ["x-y+z.1://shop.example", null],
    ["shop.example?next=http://a.example", "https://shop.example"],
  ])("%j is read as %j", (page, origin) => {
    expect(originVerdict(page, [], own).origin).toBe(origin);
  });

  it("names the entry that lets a page of this machine in", () => {
    expect(originVerdict("http://localhost:5173", [shop, "http://localhost:*"], own).entry).toBe(
      "http://localhost:*",
    );
  });

  it("explains the smallest difference, and of equal ones the first", () => {
    const allowed = ["https://a.shop.example", "https://b.shop.example", "https://www.shop.example"];
    expect(originVerdict(shop, allowed, own).entry).toBe("https://www.shop.example");
    expect(originVerdict(shop, allowed.slice(0, 2), own).entry).toBe("https://a.shop.example");
  });
});
