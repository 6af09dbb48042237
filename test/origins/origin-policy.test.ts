import { describe, expect, it } from "vitest";
import { frameAncestors, isOriginAllowed, normalizedOrigin } from "../../src/origins/origin-policy.ts";

const own = "https://talk.example";
const listing = (allowed_origins?: string[]) => ({
  embed_config: { ...(allowed_origins && { allowed_origins }) },
});

describe("an origin as browsers send it", () => {
  it.each([
    ["https://Shop.Example", "https://shop.example"],
    ["https://shop.example:443/help?a=1", "https://shop.example"],
    ["http://shop.example:8080", "http://shop.example:8080"],
    ["ftp://shop.example", null],
    ["shop.example", null],
    ["null", null],
    ["", null],
  ])("%j is %j", (text, origin) => {
    expect(normalizedOrigin(text)).toBe(origin);
  });
});

describe("pages may use a context", () => {
  it.each([
    [["https://shop.example"], "https://shop.example", true],
    [["https://SHOP.example:443/"], "https://shop.example", true],
    [["https://a.example", "https://shop.example"], "https://shop.example", true],
    [["https://shop.example"], "http://shop.example", false],
    [["https://shop.example"], "https://shop.example:8443", false],
    [["https://shop.example"], "https://www.shop.example", false],
    [["https://*.shop.example"], "https://www.shop.example", false],
    [["https://*.shop.example"], "https://*.shop.example", false],
    [["http://localhost:*"], "http://localhost", true],
    [["http://localhost:*"], "http://localhost:5173", true],
    [["HTTP://LOCALHOST:*"], "http://localhost:5173", true],
    [["http://localhost:*"], "https://localhost:5173", false],
    [["http://localhost:*"], "http://localhost.shop.example", false],
    [["https://127.0.0.1:*"], "https://127.0.0.1:8443", true],
    [["http://[::1]:*"], "http://[::1]:3000", true],
    [["a http://localhost:*"], "http://localhost:5173", false],
    [["http://localhost:*/a"], "http://localhost:5173", false],
    [["http://localhost"], "http://localhost:5173", false],
    [["*"], "https://shop.example", false],
    [[], "https://shop.example", false],
    [undefined, "https://shop.example", false],
    [[], own, true],
  ])("with %j, those of %s: %s", (allowed, origin, isAllowed) => {
    expect(isOriginAllowed(listing(allowed), origin, own)).toBe(isAllowed);
  });
});

describe("the frames around the viewer", () => {
  it("are its own pages and those of the list, without entries that are no origins", () => {
    const entries = [
      "https://shop.example",
      "http://localhost:*",
      "https://*.shop.example",
      "shop",
      "ftp://a.example",
    ];
    expect(frameAncestors(listing(entries))).toBe("'self' https://shop.example http://localhost:*");
  });

  it("are only its own pages without a list", () => {
    expect(frameAncestors(listing())).toBe("'self'");
  });
});
