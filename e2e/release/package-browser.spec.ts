import { join } from "node:path";
import { expect, test, type Page } from "../support/test.ts";
import { build, createServer, preview } from "vite";
import { installPackages, type InstalledPackage } from "../support/installed-package.ts";
import { difference, pictureOf } from "../support/picture.ts";
import { avatar, clickLauncher, endSession, untilFirstFrame, untilState } from "../support/widget.ts";
import { writeConsumer } from "./package-consumer.ts";
import { freePort } from "../../test/free-port.ts";

/** The package as it would be published, on pages of another origin than the relay. */
let project: InstalledPackage;
let origin: string;
let relayOrigin: string;
let closeSite: () => Promise<void>;

test.beforeAll(async ({ sharedServer: server }) => {
  relayOrigin = server.origin;
  // npm asks the registry.
  project = installPackages("visavis");
  writeConsumer(project, server.origin);
  const root = project.folder;
  await build({
    root,
    configFile: false,
    logLevel: "warn",
    build: {
      target: "es2022",
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: {
        input: ["index.html", "bubble.html", "client.html"].map((name) => join(root, name)),
      },
    },
  });
  const port = await freePort();
  const policy =
    `default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; media-src 'self' blob:; ` +
    `connect-src 'self' ${server.origin}; img-src 'self' data: blob: ${server.origin}; ` +
    // The page's own Lit makes this policy.
    `require-trusted-types-for 'script'; trusted-types lit-html`;
  const site = await preview({
    root,
    configFile: false,
    preview: { host: "127.0.0.1", port, headers: { "content-security-policy": policy } },
  });
  origin = `http://127.0.0.1:${port}`;
  closeSite = () => site.close();
});

test.afterAll(async () => {
  await closeSite();
  project.remove();
});

/** The requests that a page sends, and its errors. */
function watch(page: Page): { asked: URL[]; faults: string[] } {
  const asked: URL[] = [];
  const faults: string[] = [];
  page.on("request", (request) => {
    if (/^https?:/.test(request.url())) asked.push(new URL(request.url()));
  });
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  return { asked, faults };
}

async function untilOwnFont(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.fonts].some(({ family, status }) => family.includes("Visavis") && status === "loaded"),
  );
}

/** Asks the element, or the session in `window`, a question. Returns the transcript's last entry. */
const ask = (page: Page, text: string): Promise<{ role: string; text: string } | undefined> =>
  page.evaluate(async (question) => {
    const asked = "session" in window ? window.session : document.querySelector("visavis-avatar")!;
    await asked.send(question);
    return asked.transcript.at(-1);
  }, text);

test("the inline element shows the first frame under a strict policy, with its own font", async ({
  page,
}) => {
  const { asked, faults } = watch(page);
  await page.goto(origin);
  await untilState(page, "live");
  await untilFirstFrame(page);
  await expect(page).toHaveTitle("connecting live");
  const stage = page.locator("visavis-avatar .vv-stage").first();
  const first = await pictureOf(page, stage);
  await expect.poll(async () => difference(first, await pictureOf(page, stage))).toBeGreaterThan(0.001);
  await untilOwnFont(page);
  // The bundle contains the widget. Sessions and pictures come from the relay, and nothing comes from elsewhere.
  expect(asked.filter((url) => ![origin, relayOrigin].includes(url.origin))).toEqual([]);
  const fromRelay = asked.filter((url) => url.origin === relayOrigin).map((url) => url.pathname);
  expect(fromRelay.filter((path) => /\.(?:js|woff2)$/.test(path))).toEqual([]);
  expect(faults).toEqual([]);
});

test("the bubble draws its own launcher and answers a question", async ({ page }) => {
  const { faults } = watch(page);
  await page.goto(`${origin}/bubble.html`);
  await clickLauncher(page);
  await untilState(page, "live");
  await untilFirstFrame(page);
  const answer = await ask(page, "When are you open on Saturday?");
  expect(answer).toMatchObject({ role: "avatar", text: expect.stringMatching(/Saturday from 10 to 16/) });
  // Texts are loaded with the views that need them. A build that removed them as unused would leave controls without names.
  const buttons = avatar(page).getByRole("button");
  await expect.poll(() => buttons.count()).toBeGreaterThan(4);
  for (const button of await buttons.all()) await expect(button).toHaveAccessibleName(/\S/);
  await endSession(page);
  expect(faults).toEqual([]);
});

test("the session without user interface draws on a stage of the page and answers", async ({ page }) => {
  const { faults } = watch(page);
  await page.goto(`${origin}/client.html`);
  await page.waitForFunction(() => window.firstFrames === 1);
  const here = page.locator("#here");
  const first = await pictureOf(page, here);
  expect(first.at(240, 200), "the page's ground is covered").not.toEqual([255, 0, 255]);
  await expect.poll(async () => difference(first, await pictureOf(page, here))).toBeGreaterThan(0.001);
  const answer = await ask(page, "When are you open on Saturday?");
  expect(answer).toMatchObject({ role: "avatar", text: expect.stringMatching(/Saturday from 10 to 16/) });
  await expect(page.locator("visavis-avatar")).toHaveCount(0);
  expect(faults).toEqual([]);
});

test("a development server finds its modules and its fonts too", async ({ page }) => {
  const { faults } = watch(page);
  const port = await freePort();
  const site = await createServer({
    root: project.folder,
    configFile: false,
    logLevel: "silent",
    server: { host: "127.0.0.1", port },
  });
  await site.listen();
  try {
    await page.goto(`http://127.0.0.1:${port}/`);
    await untilState(page, "live");
    await untilFirstFrame(page);
    await untilOwnFont(page);
    expect(faults).toEqual([]);
  } finally {
    await site.close();
  }
});
