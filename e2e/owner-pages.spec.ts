import { expect, test, type Page } from "./support/test.ts";
import { hostPage, startHostSite } from "./support/host-page.ts";
import { openGallery, showState } from "./support/gallery-page.ts";
import { useServer } from "./support/served-site.ts";
import { untilSpoken } from "./support/talk.ts";
import {
  avatar,
  clickLauncher,
  launcher,
  snippet,
  untilAnimationsEnd,
  untilState,
  withPicture,
} from "./support/widget.ts";

declare global {
  interface Window {
    /** The page's layout shifts so far. */
    shifts: number[];
  }
}

/** The greeting stays when it is said: no suggestions take its place. */
const served = useServer({
  change: ({ embed_config: config }) => {
    config["ui"] = { ...(config["ui"] as object), suggestions: [] };
  },
});

/** Runs a test on a page of another origin with its own style sheet. */
async function onPage(
  page: Page,
  { css = "", markup = snippet(served.server.origin, served.context), policy = false as string | false },
  use: () => Promise<void>,
): Promise<void> {
  const site = await startHostSite(
    { "/": hostPage(`<style>${css}</style><p>A text of the page.</p>${markup}`) },
    { relayOrigin: served.server.origin, policy },
  );
  try {
    await page.goto(site.origin);
    await use();
  } finally {
    await site.close();
  }
}

const caption = (page: Page) => avatar(page).locator("[part=words]");

const fontSizeOf = (page: Page, selector: string): Promise<number> =>
  avatar(page)
    .locator(selector)
    .first()
    .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));

const inheritedBy = (page: Page, selector: string): Promise<string[]> =>
  avatar(page)
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { textIndent, textShadow, textTransform, whiteSpace, fontStyle } = getComputedStyle(element);
      return [textIndent, textShadow, textTransform, whiteSpace, fontStyle];
    });
const own = ["0px", "none", "none", "normal", "normal"];

const textStyles =
  "html{font-size:62.5%}body{text-indent:80px;text-shadow:2px 2px red;text-transform:uppercase;letter-spacing:9px;" +
  "line-height:3;white-space:pre;font-style:italic;text-align:right;list-style:square;hyphens:auto}";

test("neither launcher nor panel inherits how the page writes its texts, or how large", async ({ page }) => {
  await onPage(page, { css: textStyles }, async () => {
    await expect(launcher(page)).toBeVisible();
    await expect.poll(() => inheritedBy(page, ".vv-launcher .vv-window")).toEqual(own);
    await expect.poll(() => fontSizeOf(page, ".vv-label b")).toBe(15);
  });
  await openGallery(page);
  await page.addStyleTag({ content: textStyles });
  await showState(page, "speaking");
  expect(await inheritedBy(page, "[part=words]")).toEqual(own);
  expect(await fontSizeOf(page, ".vv-shell")).toBe(15);
  expect(await fontSizeOf(page, "[part=words] p")).toBeGreaterThanOrEqual(17);
});

test("the whole panel is in the window of a page with zoom", async ({ page }) => {
  await openGallery(page);
  for (const [selector, zoom] of [
    ["html", "1.5"],
    ["body", "1.5"],
    ["html", ".7"],
  ] as const) {
    const sheet = await page.addStyleTag({ content: `${selector}{zoom:${zoom}}` });
    await showState(page, "speaking");
    const end = avatar(page).getByRole("button", { name: "End the conversation" });
    await expect(end).toBeInViewport({ ratio: 1 });
    for (const part of ["panel", "window"])
      await expect(avatar(page).locator(`[part~=${part}]`)).toBeInViewport({ ratio: 1 });
    await sheet.evaluate((element) => (element as Element).remove());
  }
});

test("a printed page has neither launcher nor panel on it, and of a frame the transcript, with nothing to press", async ({
  page,
}) => {
  await openGallery(page);
  await showState(page, "speaking");
  await page.emulateMedia({ media: "print" });
  await expect(avatar(page).locator("[part~=panel]")).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await expect(avatar(page).locator("[part~=panel]")).toBeVisible();

  await showState(page, "transcript inline");
  const log = avatar(page).locator("[part~=transcript]");
  const buttons = avatar(page).getByRole("button").filter({ visible: true });
  await expect(log).toBeVisible();
  await expect(buttons).not.toHaveCount(0);
  await page.emulateMedia({ media: "print" });
  await expect(log).toBeVisible();
  await expect(buttons).toHaveCount(0);

  await page.emulateMedia({ media: "screen" });
  await onPage(page, {}, async () => {
    await expect(launcher(page)).toBeVisible();
    await page.emulateMedia({ media: "print" });
    await expect(launcher(page)).toBeHidden();
  });
});

const loader = (): string => `<script async src="${served.server.origin}/embed.js"></script>`;
const element = (attributes = ""): string =>
  `<visavis-avatar context-id="ctx_demo" ${attributes}></visavis-avatar>`;

test("the launcher is shown where the page hides undefined elements, and not where it hides the avatar", async ({
  page,
}) => {
  for (const rule of ["display:none", "visibility:hidden"])
    await onPage(page, { css: `visavis-avatar:not(:defined){${rule}}` }, async () => {
      await expect(launcher(page), rule).toBeVisible();
    });
  const record = page.waitForResponse(/\/launcher\?/);
  await onPage(page, { markup: element("hidden") + loader() }, async () => {
    await record;
    await expect(launcher(page)).toBeAttached();
    await expect(launcher(page)).toBeHidden();
    await avatar(page).evaluate((found) => found.toggleAttribute("hidden"));
    await expect(launcher(page)).toBeVisible();
  });
});

test("an inline frame has a width in a table and in a flexible box, and neither it in a grid nor the demo page is wider than a phone", async ({
  page,
}) => {
  const frame = element('variant="inline" mode="text"');
  for (const around of [
    `<table><tr><td>${frame}</td></tr></table>`,
    `<div style="display:flex"><p>Text</p>${frame}</div>`,
  ])
    await onPage(page, { markup: around + loader() }, async () => {
      await expect(launcher(page)).toBeVisible();
      const width = async () => (await avatar(page).boundingBox())?.width;
      await expect.poll(width).toBe(400);
      await clickLauncher(page);
      await untilState(page, "live");
      await expect.poll(width).toBe(400);
    });
  const expectNoExcess = async (what: string): Promise<void> => {
    await expect(launcher(page)).toBeVisible();
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 700 });
      const excess = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      expect(excess, `${what} at ${width} px`).toBe(0);
    }
  };
  const grid = `<div style="display:grid"><div>${frame}</div></div>`;
  await onPage(page, { markup: grid + loader() }, () => expectNoExcess("a frame in a grid"));
  await page.goto(served.server.origin);
  await expectNoExcess("the demo page");
});

const adders: Record<string, string> = {
  "with createElement": `const avatar = document.createElement("visavis-avatar");
    avatar.setAttribute("variant", "inline"); document.querySelector("main").append(avatar);
    setTimeout(() => avatar.setAttribute("context-id", "ctx_demo"));`,
  "as a copy": `document.querySelector("main").append(document.querySelector("visavis-avatar").cloneNode());`,
  "in a shadow root": `const root = document.querySelector("main").attachShadow({ mode: "open" });
    const avatar = document.createElement("visavis-avatar");
    avatar.setAttribute("context-id", "ctx_demo"); root.append(avatar);`,
};

test("an avatar that the page adds later, by any way, has its launcher, before the widget is loaded", async ({
  page,
}) => {
  for (const [how, script] of Object.entries(adders))
    await onPage(page, { markup: (how === "as a copy" ? element() : "") + loader() }, async () => {
      await page.evaluate(script);
      await expect(page.locator("visavis-avatar").last().getByRole("button").first(), how).toBeVisible();
      await expect(page.locator("visavis-avatar").last(), how).toHaveJSProperty("state", "idle");
    });
  await onPage(page, { markup: snippet(served.server.origin, served.context, withPicture) }, async () => {
    await expect(launcher(page)).toBeVisible();
    await page.evaluate(() => {
      const later = document.createElement("visavis-avatar");
      later.setAttribute("variant", "inline");
      document.querySelector("main")!.append(later);
      setTimeout(() => later.setAttribute("context-id", "ctx_demo"));
    });
    await expect(page.locator("main visavis-avatar").getByRole("button").first()).toBeVisible();
    expect(await page.evaluate(() => customElements.get("visavis-avatar"))).toBeUndefined();
  });
});

test("hovering the launcher and the definition of the element shift nothing", async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ("value" in entry) shifts.push(Number(entry.value));
    }).observe({ type: "layout-shift", buffered: true });
  });
  await onPage(
    page,
    { markup: `${snippet(served.server.origin, served.context)}<p>Below.</p>` },
    async () => {
      await expect(launcher(page)).toBeVisible();
      const place = () => page.getByText("Below.").boundingBox();
      const before = await place();
      await launcher(page).hover();
      await page.locator("visavis-avatar:defined").waitFor({ state: "attached" });
      await expect.poll(() => page.evaluate(() => document.fonts.check('16px "Visavis Inter"'))).toBe(true);
      expect(await place()).toEqual(before);
      expect(await page.evaluate(() => window.shifts)).toEqual([]);
    },
  );
});

test("the loader works as a module, and on a page that allows no data: images", async ({ page }) => {
  const relay = served.server.origin;
  const policy =
    `default-src 'none'; script-src ${relay}; style-src 'self' 'unsafe-inline'; connect-src ${relay}; img-src ${relay}; ` +
    `media-src ${relay}; font-src ${relay}; require-trusted-types-for 'script'; trusted-types 'none'`;
  const markup = `<script type="module" src="${relay}/embed.js" data-context="${served.context}" data-mode="text"></script>`;
  await onPage(page, { markup, policy }, async () => {
    const picture = avatar(page).locator(".vv-still").first();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    await clickLauncher(page);
    await untilState(page, "live");
  });
});

test("fonts are loaded when the visitor reaches for the launcher, and their arrival moves no line", async ({
  page,
}) => {
  const asked: string[] = [];
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/inter-*.woff2", async (route) => {
    asked.push(route.request().url());
    await released;
    await route.continue();
  });
  await onPage(page, {}, async () => {
    await expect(launcher(page)).toBeVisible();
    expect(asked).toEqual([]);
    await launcher(page).hover();
    await expect.poll(() => asked.length).toBe(3);
    await clickLauncher(page);
    await untilState(page, "live");
    await expect(caption(page)).toContainText("Hello");
    // The words change while they are said.
    await untilSpoken(page);
    // The place of the text and its number of lines: the boxes of letters alone have other heights in another font.
    const lines = () =>
      caption(page)
        .locator("p")
        .evaluate((words) => {
          const range = document.createRange();
          range.selectNodeContents(words);
          const { top, bottom } = words.getBoundingClientRect();
          const tops = new Set([...range.getClientRects()].map((rect) => Math.round(rect.top)));
          return { top: Math.round(top), bottom: Math.round(bottom), count: tops.size };
        });
    // The panel's opening moves them too, and what appears when all is said.
    await untilAnimationsEnd(page);
    const before = await lines();
    const widthBefore = await caption(page)
      .locator("p")
      .evaluate((words) => words.getBoundingClientRect().width);
    release();
    await expect.poll(() => page.evaluate(() => document.fonts.check('16px "Visavis Inter"'))).toBe(true);
    expect(await lines()).toEqual(before);
    const width = await caption(page)
      .locator("p")
      .evaluate((words) => words.getBoundingClientRect().width);
    expect(Math.abs(width - widthBefore)).toBeLessThan(2);
  });
});
