import { expect, test, type Page } from "./support/test.ts";
import { hostPage, startHostSite } from "./support/host-page.ts";
import { useServer } from "./support/served-site.ts";
import { untilSpoken } from "./support/talk.ts";
import {
  avatar,
  clickLauncher,
  launcher,
  snippet,
  untilAnimationsEnd,
  untilFirstFrame,
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

async function converse(page: Page): Promise<void> {
  await clickLauncher(page);
  await untilState(page, "live");
  await untilFirstFrame(page);
  await expect(caption(page)).toContainText("Hello");
}

const fontSizeOf = (page: Page, selector: string): Promise<number> =>
  avatar(page)
    .locator(selector)
    .first()
    .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));

test("text has the visitor's font size on a page whose root has another one", async ({ page }) => {
  await onPage(page, { css: "html{font-size:62.5%}" }, async () => {
    await launcher(page).hover();
    await expect.poll(() => fontSizeOf(page, ".vv-label b")).toBe(15);
    await converse(page);
    await expect.poll(() => fontSizeOf(page, ".vv-shell")).toBe(15);
    await expect.poll(() => fontSizeOf(page, "[part=words] p")).toBeGreaterThanOrEqual(17);
  });
});

for (const [name, css] of [
  ["html", "html{zoom:1.5}"],
  ["body", "body{zoom:1.5}"],
  ["a smaller html", "html{zoom:.7}"],
] as const)
  test(`the whole panel is in the window on a page with zoom on ${name}`, async ({ page }) => {
    await onPage(page, { css }, async () => {
      await converse(page);
      const end = avatar(page).getByRole("button", { name: "End the conversation" });
      await expect(end).toBeInViewport({ ratio: 1 });
      for (const part of ["panel", "window"])
        await expect(avatar(page).locator(`[part~=${part}]`)).toBeInViewport({ ratio: 1 });
    });
  });

test("a phone in landscape shows picture, caption and controls beside each other", async ({ page }) => {
  await page.setViewportSize({ width: 740, height: 360 });
  await onPage(page, {}, async () => {
    await converse(page);
    for (const part of ["window", "words"])
      await expect(avatar(page).locator(`[part~=${part}]`)).toBeInViewport({ ratio: 1 });
    await expect(avatar(page).getByRole("button", { name: "End the conversation" })).toBeInViewport({
      ratio: 1,
    });
  });
});

for (const [name, width, height] of [
  ["a page at 400 %", 320, 256],
  ["a small phone in landscape", 568, 320],
] as const)
  test(`every control can be reached on ${name}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await onPage(page, {}, async () => {
      await converse(page);
      const controls = avatar(page).locator("[part=dock] button");
      await expect(controls).not.toHaveCount(0);
      for (const control of await controls.all()) {
        await control.scrollIntoViewIfNeeded();
        await expect(control).toBeInViewport({ ratio: 1 });
      }
      // By the wheel, not only by the focus: the panel itself scrolls what it cuts off.
      const cut = await avatar(page)
        .locator("[part=panel]")
        .evaluate(
          (panel) =>
            panel.scrollHeight > panel.clientHeight + 1 && getComputedStyle(panel).overflowY === "hidden",
        );
      expect(cut).toBe(false);
    });
  });

test("a printed page has neither launcher nor panel on it", async ({ page }) => {
  await onPage(page, {}, async () => {
    await expect(launcher(page)).toBeVisible();
    await page.emulateMedia({ media: "print" });
    await expect(launcher(page)).toBeHidden();
    await page.emulateMedia({ media: "screen" });
    await converse(page);
    await page.emulateMedia({ media: "print" });
    await expect(avatar(page).locator("[part~=panel]")).toBeHidden();
  });
});

test("a printed frame of the page has its transcript, and nothing to press", async ({ page }) => {
  const markup = snippet(served.server.origin, served.context, `data-variant="inline" ${withPicture}`);
  await onPage(page, { markup }, async () => {
    await clickLauncher(page);
    await untilFirstFrame(page);
    const log = avatar(page).locator("[part~=transcript]");
    const write = avatar(page).getByRole("button", { name: "Write to Mara" });
    await expect(log.or(write).first()).toBeVisible();
    if (!(await log.isVisible())) await write.click();
    await expect(log).toContainText("Hello");
    await expect(avatar(page).getByRole("button").filter({ visible: true })).not.toHaveCount(0);
    await page.emulateMedia({ media: "print" });
    await expect(log).toBeVisible();
    await expect(avatar(page).getByRole("button").filter({ visible: true })).toHaveCount(0);
  });
});

for (const rule of ["display:none", "visibility:hidden"])
  test(`a page that gives undefined elements ${rule} shows the launcher nevertheless`, async ({ page }) => {
    await onPage(page, { css: `visavis-avatar:not(:defined){${rule}}` }, async () => {
      await expect(launcher(page)).toBeVisible();
    });
  });

test("an element that the page hides is not shown until the page shows it", async ({ page }) => {
  const markup = `<visavis-avatar context-id="ctx_demo" hidden></visavis-avatar><script async src="${served.server.origin}/embed.js"></script>`;
  const record = page.waitForResponse(/\/launcher\?/);
  await onPage(page, { markup }, async () => {
    await record;
    await expect(launcher(page)).toBeAttached();
    await expect(launcher(page)).toBeHidden();
    await avatar(page).evaluate((element) => element.toggleAttribute("hidden"));
    await expect(launcher(page)).toBeVisible();
  });
});

for (const [name, around] of Object.entries({
  "a table": (inner: string) => `<table><tr><td>${inner}</td></tr></table>`,
  "a flexible box": (inner: string) => `<div style="display:flex"><p>Text</p>${inner}</div>`,
}))
  test(`an inline frame has a width in ${name}`, async ({ page }) => {
    const frame = `<visavis-avatar context-id="ctx_demo" variant="inline"></visavis-avatar>`;
    const markup = `${around(frame)}<script async src="${served.server.origin}/embed.js"></script>`;
    await onPage(page, { markup }, async () => {
      await expect(launcher(page)).toBeVisible();
      const width = async () => (await avatar(page).boundingBox())?.width;
      await expect.poll(width).toBe(400);
      await clickLauncher(page);
      await untilState(page, "live");
      await expect.poll(width).toBe(400);
    });
  });

test("neither launcher nor panel inherits how the page writes its texts", async ({ page }) => {
  const css =
    "body{text-indent:80px;text-shadow:2px 2px red;text-transform:uppercase;letter-spacing:9px;line-height:3;" +
    "white-space:pre;font-style:italic;text-align:right;list-style:square;hyphens:auto}";
  await onPage(page, { css }, async () => {
    const inherited = (selector: string) =>
      avatar(page)
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { textIndent, textShadow, textTransform, whiteSpace, fontStyle } = getComputedStyle(element);
          return [textIndent, textShadow, textTransform, whiteSpace, fontStyle];
        });
    const own = ["0px", "none", "none", "normal", "normal"];
    await expect(launcher(page)).toBeVisible();
    await expect.poll(() => inherited(".vv-launcher .vv-window")).toEqual(own);
    await converse(page);
    await expect.poll(() => inherited("[part=words]")).toEqual(own);
  });
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

for (const [how, script] of Object.entries(adders))
  test(`an avatar that the page adds later, ${how}, has its launcher`, async ({ page }) => {
    const first = how === "as a copy" ? `<visavis-avatar context-id="ctx_demo"></visavis-avatar>` : "";
    const markup = `${first}<script async src="${served.server.origin}/embed.js"></script>`;
    await onPage(page, { markup }, async () => {
      await page.evaluate(script);
      await expect(page.locator("visavis-avatar").last()).toHaveJSProperty("state", "idle");
      await expect(page.locator("visavis-avatar").last().getByRole("button").first()).toBeVisible();
    });
  });

test("an avatar beside the snippet's own that gets its context later has its launcher, before the widget is loaded", async ({
  page,
}) => {
  await onPage(page, { markup: snippet(served.server.origin, served.context, withPicture) }, async () => {
    await expect(launcher(page)).toBeVisible();
    await page.evaluate(() => {
      const later = document.createElement("visavis-avatar");
      later.setAttribute("variant", "inline");
      document.querySelector("main")!.append(later);
      setTimeout(() => later.setAttribute("context-id", "ctx_demo"), 100);
    });
    await expect(page.locator("main visavis-avatar").getByRole("button").first()).toBeVisible();
    expect(await page.evaluate(() => customElements.get("visavis-avatar"))).toBeUndefined();
  });
});

test("the loader works as a module too", async ({ page }) => {
  const markup = `<script type="module" src="${served.server.origin}/embed.js" data-context="${served.context}"></script>`;
  await onPage(page, { markup }, async () => {
    await converse(page);
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

test("the launcher has its picture on a page that allows no data: images", async ({ page }) => {
  const relay = served.server.origin;
  const policy =
    `default-src 'none'; script-src ${relay}; style-src 'self' 'unsafe-inline'; connect-src ${relay}; img-src ${relay}; ` +
    `media-src ${relay}; font-src ${relay}; require-trusted-types-for 'script'; trusted-types 'none'`;
  await onPage(page, { policy }, async () => {
    const picture = avatar(page).locator(".vv-still").first();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    await converse(page);
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
    await converse(page);
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

test("the launcher offers to write where the visitor only writes", async ({ page }) => {
  await onPage(
    page,
    { markup: snippet(served.server.origin, served.context, 'data-mode="text"') },
    async () => {
      await launcher(page).hover();
      await expect(avatar(page).locator(".vv-label b")).toHaveText("Write to Mara");
      await expect(launcher(page)).toHaveAccessibleName(/^Write to Mara\b/);
    },
  );
  await onPage(page, {}, async () => expect(launcher(page)).toHaveAccessibleName(/^Talk with Mara\b/));
});
