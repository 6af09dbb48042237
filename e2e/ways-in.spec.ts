/** By every documented way into a page, the widget runs once: its labels are there, and its errors have their codes. */
import { expect, test, type Locator, type Page } from "./support/test.ts";
import { hostPage, startHostSite } from "./support/host-page.ts";
import { useSite } from "./support/served-site.ts";
import { avatar, snippet, type AvatarElement } from "./support/widget.ts";

const nobody = "ctx_nobody";

/** The page's markup for a context. Scripts of the site add what comes later. */
type Way = (relay: string, context: string) => string;

const element = (context: string): string =>
  `<visavis-avatar context-id="${context}" mode="voice" render="remote"></visavis-avatar>`;
const loader = (relay: string): string => `<script async src="${relay}/embed.js"></script>`;
const module = (relay: string): string => `<script type="module" src="${relay}/widget.js"></script>`;
/** `later.js` adds the element when everything is loaded, `shadow.js` puts it into a shadow root. */
const script = (name: string, context: string): string =>
  `<script defer src="/${name}.js" data-for="${context}"></script>`;

const ways: Record<string, Way> = {
  "a script tag": snippet,
  "a script tag, and the element in the markup": (relay, context) => loader(relay) + element(context),
  "a script tag, and the element later": (relay, context) => loader(relay) + script("later", context),
  "a script tag, and the element in a shadow root": (relay, context) =>
    loader(relay) + script("shadow", context),
  "a module tag, and the element in the markup": (relay, context) => element(context) + module(relay),
  "a module tag, and the element later": (relay, context) => module(relay) + script("later", context),
  "a module tag and a script tag": (relay, context) => module(relay) + loader(relay) + element(context),
  "two script tags": (relay, context) =>
    snippet(relay, context) + snippet(relay, context, 'data-variant="inline" data-target="h1"'),
};

const make = `const tag = document.createElement("visavis-avatar");
for (const [name, value] of [["context-id", document.currentScript.dataset.for], ["mode", "voice"], ["render", "remote"]])
  tag.setAttribute(name, value);`;

/** The same server at another address: to a page it is another relay, with loader and widget of its own. */
const otherRelay = (relay: string): string => {
  const url = new URL(relay);
  url.hostname = url.hostname === "localhost" ? "127.0.0.1" : "localhost";
  return url.origin;
};

/** Two loaders of different addresses, each with its element. */
const twoRelays = (relay: string, context: string): string =>
  snippet(relay, context) + snippet(otherRelay(relay), context, 'data-variant="inline" data-target="h1"');

const served = useSite({
  pages: (relay, context) =>
    Object.fromEntries(
      Object.entries(ways).flatMap(([name, way]) => [
        [`/${encodeURIComponent(name)}`, hostPage(way(relay, context))],
        [`/nobody/${encodeURIComponent(name)}`, hostPage(way(relay, nobody))],
      ]),
    ),
  scripts: {
    "/later.js": `${make} addEventListener("load", () => setTimeout(() => document.body.append(tag)));`,
    "/shadow.js": `${make} document.querySelector("h1").attachShadow({ mode: "open" }).append(tag);`,
  },
});

/**
 * Calls `start()` as soon as each element that the page will have has it: which is the first is known then. Resolves with the code of the
 * error that it rejects with, or "live".
 */
async function start(page: Page, path: string): Promise<string> {
  await page.goto(`${served.site.origin}${path}`);
  await page.waitForFunction(() => {
    const found = [document, ...[...document.querySelectorAll("*")].map(({ shadowRoot }) => shadowRoot)];
    const tags = found.flatMap((root) => [...(root?.querySelectorAll("visavis-avatar") ?? [])]);
    const expected = Math.max(1, document.querySelectorAll("script[data-context]").length);
    return tags.length === expected && tags.every((tag) => typeof tag.start === "function");
  });
  return avatar(page).evaluate((found: AvatarElement) =>
    found.start().then(
      () => "live",
      (error: unknown) => (error as { code: string }).code,
    ),
  );
}

/** The visible buttons of an element without a name. */
const unnamedIn = (element: Locator): Promise<string[]> =>
  element.evaluate((found) =>
    [...found.shadowRoot!.querySelectorAll("button")]
      .filter((button) => button.checkVisibility({ visibilityProperty: true }))
      .filter((button) => {
        const label = found.shadowRoot!.getElementById(button.getAttribute("aria-labelledby") ?? "");
        return !(button.getAttribute("aria-label") ?? (label ?? button).textContent).trim();
      })
      .map(({ outerHTML }) => outerHTML),
  );

/** Half of the ways: one page goes through them one after the other. */
const names = Object.keys(ways);
for (const half of [names.slice(0, 4), names.slice(4)])
  test(`by ${half.join("; ")}, each file is loaded once, each control has its name, each error its code`, async ({
    page,
  }) => {
    const loaded: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/assets/") && pathname.endsWith(".js")) loaded.push(pathname);
    });
    for (const name of half) {
      const path = encodeURIComponent(name);
      expect(await start(page, `/nobody/${path}`), name).toBe("context_not_found");
      loaded.length = 0;
      expect(await start(page, `/${path}`), name).toBe("live");
      await avatar(page).getByRole("button", { name: "More" }).click();
      await avatar(page).getByRole("button", { name: "Settings" }).click();
      await expect(avatar(page).getByRole("switch").first(), name).toBeVisible();
      await expect.poll(() => unnamedIn(avatar(page)), name).toEqual([]);
      expect(loaded.toSorted(), name).toEqual([...new Set(loaded)].sort());
      expect(
        loaded.filter((one) => one.startsWith("/assets/widget-")),
        name,
      ).toHaveLength(1);
    }
  });

test("the widget of the first loader serves the elements of both, and the console says so", async ({
  page,
}) => {
  const lines: string[] = [];
  const loaded: string[] = [];
  page.on("console", (message) => lines.push(message.text()));
  page.on("request", (request) => loaded.push(request.url()));
  const { server, context } = served;
  const site = await startHostSite(
    { "/": hostPage(twoRelays(server.origin, context)) },
    { relayOrigin: server.origin, policy: false },
  );
  await page.goto(site.origin);
  await expect(page.locator("visavis-avatar")).toHaveCount(2);
  await page.waitForFunction(() =>
    [...document.querySelectorAll("visavis-avatar")].every(({ start }) => typeof start === "function"),
  );
  // Both widgets are asked for at the same time.
  await page.evaluate(() => {
    for (const found of document.querySelectorAll("visavis-avatar")) found.open();
  });
  await expect
    .poll(() => lines.filter((line) => line.startsWith("Visavis is already loaded")))
    .toHaveLength(1);
  const widgets = loaded.filter((url) => url.includes("/assets/widget-")).map((url) => new URL(url).pathname);
  expect(new Set(widgets).size).toBe(1);
  for (const found of await page.locator("visavis-avatar").all())
    await expect.poll(() => unnamedIn(found)).toEqual([]);
  const later = loaded.filter((url) => /\/assets\/(?:panel|settings|transcript)/.test(url));
  expect(later.toSorted()).toEqual([...new Set(later)].sort());
  await site.close();
});
