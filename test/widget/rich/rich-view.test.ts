// @vitest-environment happy-dom
import { render } from "lit";
import { expect, test } from "vitest";
import type { TranscriptEntry } from "../../../src/client/index.ts";
import type { RichContent } from "../../../src/protocol/answers/rich-content.ts";
import { linkPolicy } from "../../../src/widget/rich/link-policy.ts";
import { richContent, type RichProps } from "../../../src/widget/rich/rich-view.ts";

/** Addresses that no visitor may be led to, nor their browser: none is on the owner's list. */
const hostile = [
  "javascript:alert(document.domain)",
  "JavaScript:alert(1)",
  " java\tscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "file:///etc/passwd",
  "vbscript:msgbox(1)",
  "blob:https://shop.example/1",
  "//elsewhere.example/a",
  "http://127.0.0.1:9/admin",
  "http://192.168.0.1/reboot",
  "http://[::1]:9/",
  "http://169.254.169.254/latest/meta-data/",
  "https://shop.example@elsewhere.example/",
  "https://shop.example.elsewhere.example/",
  "https://elsewhere.example/#https://shop.example/",
];

/** What a visitor sees of a tool server's content, whatever it holds. */
function drawn(content: unknown): HTMLElement {
  const place = document.createElement("div");
  const links = linkPolicy(["shop.example"], "https://page.example");
  const props = {
    ...{ t: (key: string) => key, links, images: links, follow: () => undefined, send: () => undefined },
    ...{ act: () => undefined, sent: {}, keepSent: () => undefined },
  } as unknown as RichProps;
  const entry = { id: "1", role: "avatar", text: "", status: "final", at: 0 } as TranscriptEntry;
  render(richContent({ ...entry, content: content as RichContent }, props), place);
  return place;
}

test.each([...hostile, "https://shop.example/alder"])(
  "%s becomes a link or a picture only where the owner allows it",
  (address) => {
    const place = drawn({
      cards: [
        {
          title: "<b>Alder</b> chair",
          href: address,
          picture: { src: address, alt: "A trap" },
          buttons: [{ label: "Go", href: address }],
        },
      ],
      buttons: [{ label: "Pay", href: address }],
      form: { title: "Log in", fields: [{ name: "card", label: "Card number" }], submit: "<b>Go</b>" },
    });
    const all = (selector: string) => [...place.querySelectorAll(selector)];
    const isAllowed = !hostile.includes(address);
    expect(all("a").map((link) => link.getAttribute("href"))).toEqual(
      isAllowed ? Array(3).fill(address) : [],
    );
    expect(all("img")).toHaveLength(isAllowed ? 1 : 0);
    expect(all("iframe, [onclick], form[action], input[type=password], b b")).toEqual([]);
    // What is left is text, and the form's own button.
    expect(place.querySelector("article")?.textContent).toContain("<b>Alder</b> chair");
    expect(all("button").map(({ textContent }) => textContent.trim())).toEqual(["<b>Go</b>"]);
  },
);

test.each([
  { form: { fields: [{ name: "a", label: "Password", type: "password" }] } },
  { buttons: [{ label: "Go", onclick: "alert(1)" }] },
  { cards: [{ title: "A", html: "<img src=x onerror=alert(1)>" }] },
  { form: { action: "javascript:alert(1)", fields: [{ name: "a", label: "A" }] } },
  { form: { action: "https://elsewhere.example/steal", fields: [{ name: "a", label: "A" }] } },
])("%j is refused as a whole", (content) => {
  expect(drawn(content).childElementCount).toBe(0);
});
