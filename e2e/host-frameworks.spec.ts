/** Pages whose framework replaces or morphs the body: launcher, open panel and conversation are on the new page. */
import { readFileSync } from "node:fs";
import { expect, test, type Page } from "./support/test.ts";
import { useSite } from "./support/served-site.ts";
import { askAndWait } from "./support/talk.ts";
import { avatar, endSession, launcher, sessionId, snippet, untilState } from "./support/widget.ts";

/** What a page does with the content of another one. */
type PageMethod = "morphTo" | "replaceBody" | "rewriteBody";

declare global {
  interface Window {
    morphTo(address: string): Promise<void>;
    replaceBody(address: string): Promise<void>;
    rewriteBody(address: string): Promise<void>;
  }
}

const files = {
  "/turbo.js": "node_modules/@hotwired/turbo/dist/turbo.es2017-umd.js",
  "/htmx.js": "node_modules/htmx.org/dist/htmx.js",
  "/morphdom.js": "node_modules/morphdom/dist/morphdom-umd.js",
};

/** A page of a site, with the framework in its head and the snippet where `place` says. */
function pageOf(title: string, framework: string, markup: string, place: "head" | "body"): string {
  const [inHead, inBody] = place === "head" ? [markup, ""] : ["", markup];
  return `<!doctype html><html lang="en"><head><title>${title}</title><meta name="htmx-config" content='{"includeIndicatorStyles":false,"allowEval":false}'>
<script src="/${framework}.js"></script><script src="/own.js" defer></script>${inHead}</head>
<body hx-boost="true" hx-boost:inherited="true"><h1>${title}</h1><a href="/${framework}/${place}/second">Second</a>${inBody}</body></html>`;
}

const own = `
window.morphTo = async (address) => {
  const next = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
  morphdom(document.body, next.body);
};
window.replaceBody = async (address) => {
  const next = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
  document.body.replaceWith(next.body);
};
window.rewriteBody = async (address) => {
  document.body.innerHTML = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html").body.innerHTML;
};`;

const served = useSite({
  pages: (relay, context) =>
    Object.fromEntries(
      ["turbo", "htmx", "morphdom"].flatMap((framework) =>
        (["head", "body"] as const).flatMap((place) =>
          ["First", "Second"].map((title) => [
            `/${framework}/${place}/${title.toLowerCase()}`,
            pageOf(title, framework, snippet(relay, context, 'data-mode="text"'), place),
          ]),
        ),
      ),
    ),
  scripts: {
    "/own.js": own,
    ...Object.fromEntries(Object.entries(files).map(([path, file]) => [path, readFileSync(file, "utf8")])),
  },
  policy: false,
});

const click = (page: Page): Promise<void> => page.evaluate(() => document.querySelector("a")!.click());
const call = (name: PageMethod) => (page: Page, address: string) =>
  page.evaluate(([method, to]) => window[method](to), [name, address] as const);

/** How each of them goes to the second page. */
const ways: [name: string, framework: string, go: (page: Page, address: string) => Promise<unknown>][] = [
  ["Turbo", "turbo", click],
  ["htmx's boost", "htmx", click],
  ["morphdom", "morphdom", call("morphTo")],
  ["a new body, as of Astro's router and Livewire,", "morphdom", call("replaceBody")],
  ["a new content of the body", "morphdom", call("rewriteBody")],
];

for (const place of ["head", "body"] as const)
  test(`panel and conversation stay when a framework goes to another page, with the tag in the ${place}`, async ({
    page,
  }) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    for (const [name, framework, go] of ways) {
      await page.goto(`${served.site.origin}/${framework}/${place}/first`);
      await launcher(page).click();
      await untilState(page, "live");
      const id = await sessionId(page);
      await go(page, `/${framework}/${place}/second`);
      await expect(page.locator("h1"), name).toHaveText("Second");
      await expect(page.locator("visavis-avatar"), name).toHaveCount(1);
      await expect(avatar(page).getByRole("dialog"), name).toBeVisible();
      await askAndWait(page, "Which chairs are there?");
      expect(await sessionId(page), name).toBe(id);
      await expect(page.locator("visavis-avatar"), name).toHaveCount(1);
      expect(errors, name).toEqual([]);
      await endSession(page);
    }
  });

test("a launcher that nobody has reached for stays when a framework goes to another page", async ({
  page,
}) => {
  for (const [name, framework, go] of ways) {
    await page.goto(`${served.site.origin}/${framework}/body/first`);
    await expect(launcher(page), name).toBeVisible();
    await go(page, `/${framework}/body/second`);
    await expect(page.locator("h1"), name).toHaveText("Second");
    await expect(page.locator("visavis-avatar"), name).toHaveCount(1);
    await launcher(page).click();
    await untilState(page, "live");
    await endSession(page);
  }
});
