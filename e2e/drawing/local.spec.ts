import { expect, test, type Page } from "../support/test.ts";
import type { AvatarSession } from "../../src/client/link/avatar-session.ts";
import { hostPage } from "../support/host-page.ts";
import { difference, differentPictures, pictureOf, type Picture } from "../support/picture.ts";
import { useSite } from "../support/served-site.ts";
import { framesReceived, watchOffers } from "./offers.ts";
import { tolerateSlowDrawing } from "../support/slow-machine.ts";
import { say, untilActivity } from "../support/talk.ts";
import {
  avatar,
  clickLauncher,
  launcher,
  snippet,
  stageCanvas,
  stageFrame,
  stateOf,
  tryAgainButton,
  untilAnimationsEnd,
  untilState,
} from "../support/widget.ts";

const served = useSite({
  change: ({ embed_config }) => (embed_config["render"] = "local"),
  pages: (relayOrigin, context) => {
    const tag = snippet(relayOrigin, context, 'data-variant="inline" data-target="#here"', null);
    return {
      "/": hostPage(`<div id="here" style="width:240px;height:400px"></div>${tag}`),
      "/bubble": hostPage(snippet(relayOrigin, context, "", "local")),
    };
  },
});

test.beforeEach(({ page }) => tolerateSlowDrawing(page));

/** Holds back the request that begins a session, until it is let through, or refused. */
async function holdSession(page: Page): Promise<(isRefused: boolean) => void> {
  let release: (isRefused: boolean) => void = () => undefined;
  const released = new Promise<boolean>((resolve) => (release = resolve));
  await page.route(/\/embed\/v1\/sessions$/, async (route) => {
    if (await released) await route.abort();
    else await route.continue();
  });
  return release;
}

const expectDrawn = (page: Page): Promise<void> =>
  expect(avatar(page)).toHaveAttribute("data-drawn", "local");

test("data-render local: there is no video at all, the face moves as soon as the panel is open, goes when the session cannot begin, and stays when it does", async ({
  page,
}) => {
  const directions = watchOffers(page);
  const refuse = await holdSession(page);
  await page.goto(`${served.site.origin}/bubble`);
  const loaded = page.waitForResponse(/\/characters\/mina\.json/);
  await launcher(page).hover();
  await loaded;
  await clickLauncher(page);
  await expectDrawn(page);
  refuse(true);
  await untilState(page, "error");
  await expect(avatar(page)).not.toHaveAttribute("data-drawn");

  await page.unrouteAll();
  const release = await holdSession(page);
  await tryAgainButton(page).click();
  await expectDrawn(page);
  expect(await stateOf(page)).toBe("connecting");
  await expect.poll(() => differentPictures(page, 30)).toBeGreaterThan(2);
  // A panel that still opens gives it other sizes, with canvases of their own.
  await untilAnimationsEnd(page);
  const canvas = await stageCanvas(page).elementHandle();
  release(false);
  await untilState(page, "live");
  await expectDrawn(page);
  expect(await canvas.evaluate((element) => element.isConnected)).toBe(true);
  await say(page, "Your own browser draws this.");
  await untilActivity(page, "speaking");
  await expect.poll(() => differentPictures(page, 30)).toBeGreaterThan(2);
  expect(new Set(directions)).toEqual(new Set(["none"]));
  expect(await framesReceived(page)).toBe(0);

  await test.step("it is as sharp as the screen after zooming", async () => {
    const side = (): Promise<number> => stageCanvas(page).evaluate(({ width }: HTMLCanvasElement) => width);
    const before = await side();
    const browser = await page.context().newCDPSession(page);
    // Chromium tells the page of another ratio only with another size, as zooming has it too.
    const screen = { width: 961, height: 640, deviceScaleFactor: 2, mobile: false };
    await browser.send("Emulation.setDeviceMetricsOverride", screen);
    await expect.poll(side).toBeGreaterThan(1.4 * before);
  });
});

test("render local of the owner: a character that cannot be loaded is replaced by the video", async ({
  page,
}) => {
  await page.route("**/characters/*.json*", (route) => route.abort());
  const directions = watchOffers(page);
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  await expect.poll(() => framesReceived(page)).toBeGreaterThan(5);
  expect(directions).toEqual(["none", "recvonly"]);
  await expect(avatar(page)).not.toHaveAttribute("data-drawn");
});

test("set-template changes the character that the browser and the service draw, and the attribute render who draws in a running session", async ({
  page,
}) => {
  const setRender = (render: string): Promise<void> =>
    avatar(page).evaluate((element, name) => element.setAttribute("render", name), render);
  const from = async (other: Picture): Promise<number> =>
    difference(other, await pictureOf(page, stageFrame(page)));
  const directions = watchOffers(page);
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  await expectDrawn(page);
  const mina = await pictureOf(page, stageFrame(page));
  await avatar(page).evaluate((element) => {
    const { current } = Reflect.get(element, "session") as { current: AvatarSession };
    current.connection?.send({ type: "set-template", data: { model: "tomas" } });
  });
  await expect.poll(() => from(mina)).toBeGreaterThan(0.1);
  await expectDrawn(page);
  const tomas = await pictureOf(page, stageFrame(page));

  await setRender("remote");
  await expect.poll(() => framesReceived(page)).toBeGreaterThan(5);
  await expect(avatar(page)).not.toHaveAttribute("data-drawn");
  const farther = (await from(mina)) / 2;
  await expect.poll(() => from(tomas)).toBeLessThan(farther);
  await expect(page.locator("visavis-avatar .vv-stage canvas")).toHaveCount(1);

  await setRender("local");
  await expectDrawn(page);
  expect(directions).toEqual(["none", "recvonly", "inactive"]);
  await say(page, "Here I am again.");
  await untilActivity(page, "speaking");
  await expect.poll(() => differentPictures(page, 30)).toBeGreaterThan(2);
});
