import { describe, expect, it } from "vitest";
import { originVerdict } from "../../../../src/service/administration/contexts/origin-check.ts";

const own = "https://talk.example";
const shop = "https://shop.example";
const www = "https://www.shop.example";
const help = "https://help.shop.example";
const noAddress = "This is not the address of a page. Paste it as the browser shows it, with https://.";
const otherSite = "and browsers see";

describe("whether a page may show the avatar, and why", () => {
  it.each<[page: string, allowed: string[], reason: string, entry: string | null, detail: string]>([
    [`${shop}/help`, [shop], "listed", shop, `Yes. ${shop} is on the list.`],
    [own, [], "own", null, `Yes. ${own} is this server, whose own pages may always show the avatar.`],
    ["shop", [shop], "not_an_address", null, noAddress],
    ["not a page", [shop], "not_an_address", null, noAddress],
    [shop, [], "nothing_listed", null, `No. The list is empty; add ${shop}.`],
    [
      "http://shop.example",
      [shop],
      "other_scheme",
      shop,
      "No. This address begins with http, the one on the list with https. Browsers see them as two sites.",
    ],
    [
      `${shop}:8443`,
      [shop],
      "other_port",
      shop,
      `No. ${shop} is on the list, ${otherSite} ${shop}:8443 as another site because of its port.`,
    ],
    [
      www,
      [shop],
      "with_www",
      shop,
      `No. ${shop} is on the list without www., ${otherSite} ${www} as another site.`,
    ],
    [
      shop,
      [www],
      "without_www",
      www,
      `No. ${www} is on the list with www., ${otherSite} ${shop} as another site.`,
    ],
    [
      help,
      [shop],
      "other_part",
      shop,
      `No. ${shop} is on the list, and ${help} is another part of that site. Add it too.`,
    ],
    [
      shop,
      [help],
      "other_part",
      help,
      `No. ${help} is on the list, and ${shop} is another part of that site. Add it too.`,
    ],
    ["https://myshop.example", [shop], "not_listed", null, "No. https://myshop.example is not on the list."],
    [shop, ["https://myshop.example"], "not_listed", null, `No. ${shop} is not on the list.`],
    [shop, ["no address"], "not_listed", null, `No. ${shop} is not on the list.`],
  ])("%s with %j: %s", (page, allowed, reason, entry, detail) => {
    const origin = reason === "not_an_address" ? null : new URL(page).origin;
    const isAllowed = reason === "listed" || reason === "own";
    expect(originVerdict(page, allowed, own)).toEqual({ allowed: isAllowed, origin, reason, entry, detail });
  });

  it.each([
    ["  shop.example/help ", shop],
    ["HTTP://shop.example", "http://shop.example"],
    ["http://localhost:5173", "http://localhost:5173"],
    ["localhost", "https://localhost"],
    ["localhost:5173", "https://localhost:5173"],
    ["http://[::1]:3000", "http://[::1]:3000"],
    ["ftp://shop.example", null],
    ["x-y+z.1://shop.example", null],
    ["shop.example?next=http://a.example", shop],
  ])("%j is read as %j", (page, origin) => {
    expect(originVerdict(page, [], own).origin).toBe(origin);
  });

  it.each([
    [
      "the entry that lets a page of this machine in",
      "http://localhost:5173",
      [shop, "http://localhost:*"],
      1,
    ],
    ["the smallest difference", shop, ["https://a.shop.example", "https://b.shop.example", www], 2],
    ["of equal differences the first", shop, ["https://a.shop.example", "https://b.shop.example"], 0],
  ])("names %s", (_what, page, allowed, at) => {
    expect(originVerdict(page, allowed, own).entry).toBe(allowed[at]);
  });
});
