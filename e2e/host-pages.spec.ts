/** Pages as owners have them: tags that run again, systems that drop attributes, scripts and styles that get in the way. */
import { expect, test, type Page } from "./support/test.ts";
import { hostPage, startHostSite } from "./support/host-page.ts";
import { leaveSilently, stopClock } from "./support/slow-machine.ts";
import { useProxiedSite } from "./support/served-site.ts";
import { terminationReason } from "./support/service-api.ts";
import { ask, transcript } from "./support/talk.ts";
import { avatar, launcher, sessionId, snippet, startSession, untilState } from "./support/widget.ts";

declare global {
  interface Window {
    loadedTags: number;
    /** How many listeners of a kind there are. */
    counts: Record<string, number>;
    /** How often the page's colours were looked at. */
    looks: number;
    /** Events of the avatar's that the page has got. */
    seen: string[];
  }
}

const served = useProxiedSite();

/** Opens a page with this markup, whose scripts are at `/own.js`. Resolves with the errors that its scripts throw. */
async function openPage(page: Page, markup: string, script = ""): Promise<string[]> {
  const site = await startHostSite(
    { "/": markup.startsWith("<!") ? markup : hostPage(markup) },
    { relayOrigin: served.proxy.origin, scripts: { "/own.js": script }, policy: false },
  );
  const errors: string[] = [];
  page.removeAllListeners("pageerror");
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("close", () => void site.close());
  await page.goto(site.origin);
  return errors;
}

const avatars = (page: Page) => page.locator("visavis-avatar");
const tag = (attributes = "") => snippet(served.proxy.origin, served.context, attributes);
const address = (query: string) => `${served.proxy.origin}/embed.js${query}`;

test("a launcher's request that fails is tried again, and at once when the network is back", async ({
  page,
}) => {
  const asked = (): number => served.proxy.requests.filter(({ path }) => path.includes("/launcher")).length;
  let failures = 2;
  served.proxy.rule = ({ path }) =>
    path.includes("/launcher") && failures-- > 0
      ? { kind: "refuse", status: 503, body: "<h1>Service unavailable</h1>" }
      : undefined;
  await page.clock.install();
  await openPage(page, tag());
  await expect(async () => {
    await page.clock.runFor(500);
    expect(await launcher(page).isVisible()).toBe(true);
  }).toPass();
  expect(asked()).toBe(3);

  failures = Infinity;
  served.proxy.requests.length = 0;
  await openPage(page, tag());
  await stopClock(page);
  await expect(async () => {
    await page.clock.runFor(500);
    expect(asked()).toBe(3);
  }).toPass();
  await expect(launcher(page)).toHaveCount(0);
  failures = 0;
  // Not by the next try, 15 s after the third: no time passes.
  await expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event("online")));
    expect(await launcher(page).isVisible()).toBe(true);
  }).toPass();
});

const again = `
window.loadedTags = 0;
const add = () => { const tag = document.createElement("script"); tag.src = "SRC"; tag.dataset.context = "CTX"; tag.dataset.mode = "voice"; tag.onload = () => loadedTags++; document.body.append(tag); return tag; };
const first = add(); first.remove(); add();
addEventListener("load", () => { add(); history.pushState({}, "", "/other"); setTimeout(add, 500); });`;

/** Counts the listeners of window and document, by their type, in `window.counts`. */
const countListeners = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const counts: Record<string, number> = {};
    Object.assign(window, { counts });
    for (const target of [window, document] as EventTarget[]) {
      const { addEventListener: add, removeEventListener: remove } = target;
      target.addEventListener = (
        type: string,
        listener: EventListener,
        options?: AddEventListenerOptions,
      ) => {
        counts[type] = (counts[type] ?? 0) + 1;
        options?.signal?.addEventListener("abort", () => (counts[type] = counts[type]! - 1));
        add.call(target, type, listener, options);
      };
      target.removeEventListener = (type: string, ...rest: [EventListener, EventListenerOptions?]) => {
        counts[type] = (counts[type] ?? 0) - 1;
        remove.call(target, type, ...rest);
      };
    }
  });

test("an avatar that the page removes ends its conversation and leaves nothing, and the snippet can come again", async ({
  page,
}) => {
  await countListeners(page);
  await openPage(page, tag('data-mode="text"'));
  for (const remove of ["Visavis.remove()", "document.querySelector('visavis-avatar').remove()"]) {
    await startSession(page);
    await untilState(page, "live");
    const id = await sessionId(page);
    expect(await page.evaluate(() => window.counts)).toHaveProperty("securitypolicyviolation", 1);
    await page.evaluate(remove);
    await expect(avatars(page)).toHaveCount(0);
    await expect.poll(() => terminationReason(served.server, id)).toBe("GRACEFUL_TERMINATION");
    expect(await page.evaluate(() => "Visavis" in window), remove).toBe(false);
    await expect
      .poll(() => page.evaluate(() => window.counts), remove)
      .toMatchObject({ securitypolicyviolation: 0, DOMContentLoaded: 0 });
    await page.evaluate(() => document.body.append(document.createElement("p")));
    await expect(avatars(page)).toHaveCount(0);

    await page.evaluate(
      ([src, context]) => {
        const again = document.createElement("script");
        Object.assign(again, { src });
        Object.assign(again.dataset, { context, mode: "text" });
        document.body.append(again);
      },
      [address(""), served.context],
    );
    await expect(avatars(page)).toHaveCount(1);
  }
});

const ways: Record<string, () => [markup: string, script?: string]> = {
  "its address": () => [`<script async src="${address(`?context=${served.context}&mode=voice`)}"></script>`],
  "the page's setting": () => [
    `<script src="/own.js"></script><script async src="${address("")}"></script>`,
    `window.visavis = { context: "${served.context}", mode: "voice" };`,
  ],
  "a module tag, behind another element with data-context": () => [
    `<div data-context="x"></div><script type="module" src="${address("")}" data-context="${served.context}"></script>`,
  ],
};
test("a snippet that runs again and again adds one avatar, each place of a context has its own, and any way names it", async ({
  page,
}) => {
  const script = again.replace("SRC", address("")).replace("CTX", served.context);
  const errors = await openPage(page, `${tag()}${tag()}<script src="/own.js"></script>`, script);
  await expect(launcher(page)).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.loadedTags)).toBe(4);
  await expect(avatars(page)).toHaveCount(1);
  expect(errors).toEqual([]);

  await openPage(page, `${tag()}<div id="a"></div>${tag('data-variant="inline" data-target="#a"')}`);
  await expect(avatars(page)).toHaveCount(2);
  for (const [name, way] of Object.entries(ways)) {
    const errors = await openPage(page, ...way());
    await expect(launcher(page), name).toBeVisible();
    expect(await avatar(page).getAttribute("context-id"), name).toBe(served.context);
    expect(errors, name).toEqual([]);
  }
  const lines: string[] = [];
  page.on("console", (message) => lines.push(message.text()));
  const odd = await openPage(
    page,
    `<form id="visavis"></form>${tag('data-target="#[bad"')}<div data-context="x"></div><script type="module">import "${address("")}"</script>`,
  );
  await expect.poll(() => lines.some((line) => line.startsWith("Visavis: "))).toBe(true);
  await page.evaluate(() => document.body.append("more"));
  expect(odd).toEqual([]);
});

const dark = "<!doctype html><title>Dark</title>";
const themes: [name: string, markup: string, device: "dark" | "light", isDark: boolean][] = [
  ["a white page on a dark device", "<!doctype html><title>White</title>", "dark", false],
  ["a page with a white background", `${dark}<style>body{background:#fff}</style>`, "dark", false],
  ["a black page on a light device", `${dark}<style>body{background:#111;color:#eee}</style>`, "light", true],
  [
    "a dark colour in another space",
    `${dark}<style>html{background:oklch(0.2 0.02 260)}</style>`,
    "light",
    true,
  ],
  [
    "a dark section behind the launcher",
    `${dark}<style>body{margin:0}main{background:#123;height:100vh}</style><main></main>`,
    "light",
    true,
  ],
  ["color-scheme dark", `${dark}<style>:root{color-scheme:dark}</style>`, "light", true],
  ["color-scheme light", `${dark}<style>:root{color-scheme:light}</style>`, "dark", false],
  ["both schemes on a dark device", `${dark}<style>:root{color-scheme:light dark}</style>`, "dark", true],
  ["both schemes on a light device", `${dark}<style>:root{color-scheme:light dark}</style>`, "light", false],
];
test("the theme is the page's, of the launcher and of the widget that takes its place", async ({ page }) => {
  for (const [name, markup, colorScheme, isDark] of themes) {
    await page.emulateMedia({ colorScheme });
    await openPage(page, `${markup}${tag('data-mode="text"')}`);
    await expect(launcher(page), name).toBeVisible();
    const expected = isDark ? expect(avatar(page), name) : expect(avatar(page), name).not;
    await expected.toHaveAttribute("data-dark");
    await launcher(page).hover();
    await page.locator("visavis-avatar:defined").waitFor({ state: "attached" });
    await expected.toHaveAttribute("data-dark");
  }
});

test("the theme follows the page's own switch", async ({ page }) => {
  await openPage(page, `${dark}<style>.dark{background:#111}</style>${tag('data-mode="text"')}`);
  await expect(launcher(page)).toBeVisible();
  await expect(avatar(page)).not.toHaveAttribute("data-dark");
  await page.evaluate(() => document.documentElement.classList.add("dark"));
  await expect(avatar(page)).toHaveAttribute("data-dark");
  await launcher(page).click();
  await untilState(page, "live");
  await expect(avatar(page)).toHaveAttribute("data-dark");
  await page.evaluate(() => document.documentElement.classList.remove("dark"));
  await expect(avatar(page)).not.toHaveAttribute("data-dark");
});

test("a page that writes its attributes in each frame, as it scrolls, is looked at when it rests", async ({
  page,
}) => {
  // A busy machine rests between its frames: this test moves the page's clock.
  await page.clock.install();
  await openPage(page, `${dark}${tag()}`);
  await expect(launcher(page)).toBeVisible();
  await stopClock(page);
  await page.evaluate(() => {
    window.looks = 0;
    const { getImageData } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.getImageData = function (...where) {
      window.looks += 1;
      return getImageData.apply(this, where);
    };
  });
  for (let frame = 0; frame < 30; frame++) {
    await page.evaluate((at) => {
      document.documentElement.style.setProperty("--scroll", String(at));
    }, frame);
    await page.clock.runFor(33);
  }
  expect(await page.evaluate(() => window.looks)).toBe(0);
  await page.clock.runFor(500);
  expect(await page.evaluate(() => window.looks)).toBeGreaterThan(0);
  expect(await page.evaluate(() => window.looks)).toBeLessThan(20);
});

/** Whether the middle of what the selector finds in the avatar is on top of everything. */
const isOnTop = (page: Page, selector: string): Promise<boolean> =>
  avatar(page)
    .locator(selector)
    .first()
    .evaluate((part) => {
      const { left, top, width, height } = part.getBoundingClientRect();
      const host = (part.getRootNode() as ShadowRoot).host;
      return document.elementFromPoint(left + width / 2, top + height / 2) === host && top < innerHeight;
    });

const cover =
  "<div style='position:fixed;inset:0;z-index:2147483647;background:#fffa'></div><div style='height:5000px'></div>";

test("launcher and panel are above the page's highest layers, also where it is transformed, unless it gives them a place", async ({
  page,
}) => {
  await openPage(
    page,
    `<!doctype html><title>Layers</title><body style="transform:translateX(0)">${tag('data-mode="text"')}${cover}`,
  );
  await expect(launcher(page)).toBeVisible();
  await expect.poll(() => isOnTop(page, "[part~=launcher-button]")).toBe(true);
  await launcher(page).click();
  await untilState(page, "live");
  await expect.poll(() => isOnTop(page, ".vv-panel")).toBe(true);

  await openPage(page, `${dark}<style>visavis-avatar{--visavis-z:5}</style>${tag()}${cover}`);
  await expect(launcher(page)).toBeVisible();
  expect(await avatar(page).getAttribute("popover")).toBeNull();
});

test("the page's shortcuts, focus traps and scroll locks do not get what the visitor does in the panel", async ({
  page,
}) => {
  const script = `
    window.seen = [];
    for (const type of ["keydown", "keypress", "keyup", "focusin"]) addEventListener(type, ({ target }) => target.matches?.("visavis-avatar") && seen.push(type));
    document.addEventListener("wheel", (event) => event.preventDefault(), { passive: false });
    addEventListener("load", () => document.addEventListener("focusin", ({ target }) => { if (target.id !== "trap") document.querySelector("#trap").focus(); }));`;
  await openPage(page, `<input id="trap">${tag('data-mode="text"')}<script src="/own.js"></script>`, script);
  await launcher(page).click();
  await untilState(page, "live");
  const field = avatar(page).getByRole("textbox");
  await field.click();
  await page.evaluate(() => window.seen.splice(0));
  await field.pressSequentially("Hello");
  await expect(field).toHaveValue("Hello");
  await field.press("Enter");
  await expect.poll(async () => (await transcript(page)).join()).toContain("visitor: Hello");
  expect(await page.evaluate(() => window.seen)).toEqual([]);
});

test("a conversation is kept from its first message on, however early the page is left", async ({ page }) => {
  await leaveSilently(page);
  await openPage(page, tag('data-mode="text"'));
  await expect(launcher(page)).toBeVisible();
  await startSession(page);
  await untilState(page, "live");
  await ask(page, "Which chairs are there?");
  const id = await sessionId(page);
  await page.reload();
  await untilState(page, "live");
  expect(await sessionId(page)).toBe(id);
});

const hostile: Record<string, string> = {
  "additions to Object.prototype, and a fetch that adds headers": `
    Object.prototype.added = "x";
    Object.prototype.alsoAdded = { deep: 1 };
    const own = window.fetch;
    window.fetch = (input, init = {}) => {
      const headers = new Headers(init.headers);
      headers.set("traceparent", "00-1-2-01");
      headers.set("sentry-trace", "1");
      return own(input, { ...init, headers });
    };`,
  "shadow roots that the page patches": `
    const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function (options) { const root = attach.call(this, { ...options, mode: "open" }); root.innerHTML = root.innerHTML; return root; };`,
  "a registry of elements that the page wraps": `
    const define = customElements.define, get = customElements.get;
    customElements.define = function (name, type, options) { return define.call(customElements, name, class extends type {}, options); };
    customElements.get = function (name) { return get.call(customElements, name); };`,
  "keys that the page stops before they arrive": `
    for (const type of ["keydown", "keypress", "keyup"]) addEventListener(type, (event) => event.stopImmediatePropagation(), true);`,
};

test("a visitor writes and sends beside scripts that patch the browser's own functions", async ({ page }) => {
  for (const [name, script] of Object.entries(hostile)) {
    const markup = `<script src="/own.js"></script>${tag('data-mode="text"')}`;
    const errors = await openPage(page, markup, script);
    await launcher(page).click();
    await untilState(page, "live");
    const field = avatar(page).getByRole("textbox");
    await field.pressSequentially("Hello");
    await expect(field, name).toHaveValue("Hello");
    await avatar(page).getByRole("button", { name: "Send" }).click();
    await expect
      .poll(async () => (await transcript(page)).join(), name)
      .toMatch(/visitor: Hello.*avatar: .+/s);
    expect(errors, name).toEqual([]);
  }
});

test("a browser that is too old is told so, or has no launcher, and is not told to check its connection", async ({
  page,
}) => {
  const script = (lacks: string): [string, string] => [
    `<script src="/own.js"></script>${tag()}`,
    `Reflect.deleteProperty(${lacks});`,
  ];
  await openPage(page, ...script(`AbortSignal, "any"`));
  await launcher(page).click();
  const told = avatar(page).getByText(/This browser can’t show/);
  await expect(told.first()).toBeVisible();
  await expect(avatar(page).getByText(/connection/)).toHaveCount(0);

  const lines: string[] = [];
  page.on("console", (message) => lines.push(message.text()));
  const errors = await openPage(page, ...script(`CSSStyleSheet.prototype, "replaceSync"`));
  await expect.poll(() => lines.join()).toContain("Visavis: TypeError");
  await expect(avatars(page)).toHaveCount(1);
  await expect(launcher(page)).toHaveCount(0);
  expect(errors).toEqual([]);
});
