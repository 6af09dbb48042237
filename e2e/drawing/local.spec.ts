import { expect, test, type Page } from "../support/test.ts";
import type { AvatarSession } from "../../src/client/link/avatar-session.ts";
import { hostPage } from "../support/host-page.ts";
import { difference, differentPictures, pictureOf } from "../support/picture.ts";
import { useSite } from "../support/served-site.ts";
import { framesReceived, watchOffers } from "./offers.ts";
import { changeContext } from "../support/service-api.ts";
import { tolerateSlowDrawing } from "../support/slow-machine.ts";
import { say, untilActivity } from "../support/talk.ts";
import {
  avatar,
  clickLauncher,
  launcher,
  snippet,
  stageCanvas,
  stageFrame,
  startSession,
  stateOf,
  untilAnimationsEnd,
  untilFirstFrame,
  untilState,
} from "../support/widget.ts";

const served = useSite({
  pages: (relayOrigin, context) => ({
    "/": drawnPage(relayOrigin, context, null),
    "/local": drawnPage(relayOrigin, context, "local"),
    "/bubble": hostPage(snippet(relayOrigin, context, "", "local")),
  }),
});

/** `drawer` null: as the owner's context says. */
function drawnPage(relayOrigin: string, context: string, drawer: "local" | null): string {
  const tag = snippet(relayOrigin, context, 'data-variant="inline" data-target="#here"', drawer);
  return hostPage(`<div id="here" style="width:360px;height:480px"></div>${tag}`);
}

const sentence = "The picture that you see is drawn by your own browser, word by word, as you hear them.";

test.beforeEach(({ page }) => tolerateSlowDrawing(page));

async function startDrawn(page: Page): Promise<void> {
  await page.goto(served.site.origin);
  await startSession(page);
  await untilState(page, "live");
  await untilFirstFrame(page);
}

async function speak(page: Page): Promise<void> {
  await say(page, sentence);
  await untilActivity(page, "speaking");
}

async function setOwnersRender(render: string): Promise<void> {
  await changeContext(served, (context) => {
    context.embed_config["render"] = render;
  });
}

/** Starts as visitors do, by the button that the snippet has drawn. */
async function startByButton(page: Page, path: string): Promise<void> {
  await page.goto(served.site.origin + path);
  await clickLauncher(page);
  await untilState(page, "live");
}

test("data-render local: the session has no video at all, and the browser draws the avatar", async ({
  page,
}) => {
  const directions = watchOffers(page);
  await startByButton(page, "/local");
  await expect(avatar(page)).toHaveAttribute("data-drawn", "local");
  expect(directions).toEqual(["none"]);
  await speak(page);
  await expect.poll(() => differentPictures(page, 30)).toBeGreaterThan(2);
  expect(await framesReceived(page)).toBe(0);
});

test("render local of the owner: a character that cannot be loaded is replaced by the video", async ({
  page,
}) => {
  await setOwnersRender("local");
  await page.route("**/characters/*.json*", (route) => route.abort());
  const directions = watchOffers(page);
  await startByButton(page, "/");
  await expect.poll(() => framesReceived(page)).toBeGreaterThan(5);
  expect(directions).toEqual(["none", "recvonly"]);
  await expect(avatar(page)).not.toHaveAttribute("data-drawn");
});

test("the attribute render changes who draws in a running session, and the picture never goes away", async ({
  page,
}) => {
  await setOwnersRender("remote");
  const directions = watchOffers(page);
  await startDrawn(page);
  await expect(avatar(page)).not.toHaveAttribute("data-drawn");
  await avatar(page).evaluate((element) => element.setAttribute("render", "local"));
  await expect(avatar(page)).toHaveAttribute("data-drawn", "local");
  const before = await framesReceived(page);
  await speak(page);
  await avatar(page).evaluate((element) => element.setAttribute("render", "remote"));
  await expect(avatar(page)).not.toHaveAttribute("data-drawn");
  await expect.poll(() => framesReceived(page)).toBeGreaterThan(before);
  expect(directions).toEqual(["recvonly", "inactive", "recvonly"]);
  await expect(page.locator("visavis-avatar .vv-stage canvas")).toHaveCount(1);
  // A busy machine draws few frames, so it may take several looks.
  await expect.poll(() => differentPictures(page, 60)).toBeGreaterThan(2);
});

/** The page changes the avatar's look. */
async function setTemplate(page: Page, model: string): Promise<void> {
  await avatar(page).evaluate((element, name) => {
    const { current } = Reflect.get(element, "session") as { current: AvatarSession };
    current.connection?.send({ type: "set-template", data: { model: name } });
  }, model);
}

test("set-template changes the character that the browser draws, as it changes the video", async ({
  page,
}) => {
  await setOwnersRender("local");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await startByButton(page, "/");
  await expect(avatar(page)).toHaveAttribute("data-drawn", "local");
  await untilActivity(page, "idle");
  const mina = await pictureOf(page, stageFrame(page));
  const toTomas = page.waitForResponse(/\/characters\/tomas\.json/);
  await setTemplate(page, "tomas");
  await toTomas;
  const fromMina = async (): Promise<number> => difference(mina, await pictureOf(page, stageFrame(page)));
  await expect.poll(fromMina).toBeGreaterThan(0.1);
  await expect(avatar(page)).toHaveAttribute("data-drawn", "local");
  const tomas = await pictureOf(page, stageFrame(page));

  await test.step("the service's video has it too", async () => {
    await avatar(page).evaluate((element) => element.setAttribute("render", "remote"));
    await expect.poll(() => framesReceived(page)).toBeGreaterThan(5);
    await expect(avatar(page)).not.toHaveAttribute("data-drawn");
    const fromTomas = async (): Promise<number> => difference(tomas, await pictureOf(page, stageFrame(page)));
    const farther = (await fromMina()) / 2;
    await expect.poll(fromTomas).toBeLessThan(farther);
  });
});

test("data-render local: the picture is as sharp as the screen after zooming, and after another screen", async ({
  page,
}) => {
  await startByButton(page, "/bubble");
  await expect(avatar(page)).toHaveAttribute("data-drawn", "local");
  const side = (): Promise<number> => stageCanvas(page).evaluate((canvas: HTMLCanvasElement) => canvas.width);
  await expect.poll(side).toBeGreaterThan(96);
  const before = await side();
  const browser = await page.context().newCDPSession(page);
  await browser.send("Emulation.setDeviceMetricsOverride", {
    // Chromium tells the page of another ratio only with another size, as zooming has it too.
    width: 1_281,
    height: 800,
    deviceScaleFactor: 2,
    mobile: false,
  });
  await expect.poll(side).toBeGreaterThan(1.4 * before);
});

/** Holds back the request that begins a session, until it is let through, or refused. */
async function holdSession(page: Page): Promise<{ asked: Promise<void>; release(isRefused: boolean): void }> {
  let handleAsked: () => void = () => undefined;
  let release: (isRefused: boolean) => void = () => undefined;
  const asked = new Promise<void>((resolve) => (handleAsked = resolve));
  const released = new Promise<boolean>((resolve) => (release = resolve));
  await page.route(/\/embed\/v1\/sessions$/, async (route) => {
    handleAsked();
    if (await released) await route.abort();
    else await route.continue();
  });
  return { asked, release };
}

/** Clicks the launcher once the character is there. */
async function startLoaded(page: Page): Promise<void> {
  await page.goto(`${served.site.origin}/bubble`);
  const loaded = page.waitForResponse(/\/characters\/mina\.json/);
  await launcher(page).hover();
  await loaded;
  await clickLauncher(page);
}

test("data-render local: the face moves as soon as the panel is open, and stays when the session begins", async ({
  page,
}) => {
  const session = await holdSession(page);
  await startLoaded(page);
  await session.asked;
  await expect(avatar(page)).toHaveAttribute("data-drawn", "local");
  expect(await stateOf(page)).toBe("connecting");
  await expect.poll(() => differentPictures(page, 30)).toBeGreaterThan(2);
  // A panel that still opens gives it other sizes, with canvases of their own.
  await untilAnimationsEnd(page);
  const canvas = await stageCanvas(page).elementHandle();
  session.release(false);
  await untilState(page, "live");
  await expect(avatar(page)).toHaveAttribute("data-drawn", "local");
  expect(await canvas.evaluate((element) => element.isConnected)).toBe(true);
  await speak(page);
  await untilActivity(page, "idle");
});

test("data-render local: a face that has appeared goes when the session cannot begin", async ({ page }) => {
  const session = await holdSession(page);
  await startLoaded(page);
  await expect(avatar(page)).toHaveAttribute("data-drawn", "local");
  session.release(true);
  await untilState(page, "error");
  await expect(avatar(page)).not.toHaveAttribute("data-drawn");
});
