import { describe, expect, it } from "vitest";
import { linkPolicy } from "../../../src/widget/rich/link-policy.ts";

describe("links_allowed", () => {
  it.each([
    [["shop.example"], "https://shop.example/a?b=1", true],
    [["shop.example"], "http://shop.example:8080/", true],
    [["shop.example:8080"], "http://shop.example:9/", false],
    [["shop.example:8080"], "http://shop.example:8080/", true],
    [["localhost:3000"], "http://localhost:3000/", true],
    [["[abcd::1]:8080"], "http://[abcd::1]:8080/", true],
    [["shop.example"], "https://www.shop.example/", false],
    [["*.shop.example"], "https://www.shop.example/", true],
    [["*.shop.example"], "https://evilshop.example/", false],
    [["*"], "https://anything.example/", true],
    [["*"], "mailto:me@shop.example", false],
    [["https://shop.example/help"], "https://shop.example/help/returns", true],
    [["https://shop.example/help"], "https://shop.example/helpless", false],
    [["https://shop.example/help"], "http://shop.example/help", false],
    [["https://shop.example/help"], "https://shop.example/help", true],
    [["https://shop.example:8080"], "https://shop.example:8080/help", true],
    [["mailto:"], "mailto:me@shop.example", true],
    [["mailto:help@shop.example"], "mailto:me@shop.example", false],
    [["mailto:1help@shop.example"], "mailto:1help@shop.example", true],
    [["tel:"], "tel:+4912345", true],
    [["tel:"], "mailto:me@shop.example", false],
    [["data:"], "https://shop.example/", false],
    [["*", "mailto:", "tel:"], "javascript:alert(1)", false],
    [["*", "javascript:"], "javascript:alert(1)", false],
    [["*"], "JavaScript:alert(1)", false],
    [["*"], " java\tscript:alert(1)", false],
    [["*"], "vbscript:msgbox(1)", false],
    [["*"], "file:///etc/passwd", false],
    [["*", "file:"], "file:///etc/passwd", false],
    [["*"], "blob:https://page.example/1", false],
    [["*"], "filesystem:https://page.example/temporary/x", false],
    [["*"], "//elsewhere.example/", false],
    [["shop.example"], "http://127.0.0.1:8080/admin", false],
    [["shop.example"], "http://192.168.0.1/reboot", false],
    [["*", "data:"], "data:text/html,x", false],
    [["shop.example"], "https://shop.example@elsewhere.example/", false],
    [["*"], "https://me:secret@shop.example/", false],
    [["*"], "/relative", false],
    [[], "https://page.example/", false],
    [undefined, "https://page.example/help", true],
    [undefined, "https://shop.example/", false],
  ])("%j for %s: %s", (allowed, href, isAllowed) => {
    const target = linkPolicy(allowed, "https://page.example")(href);
    expect(target !== null).toBe(isAllowed);
  });
});
