/** Characters from photographs in the widget. The file says what draws it, so a drawn character's address serves for the tests. */
import { readFileSync } from "node:fs";
import { expect, test, type Page } from "../support/test.ts";
import { hostPage } from "../support/host-page.ts";
import { recordEvents, seenErrors } from "../support/page-records.ts";
import { differentPictures } from "../support/picture.ts";
import { tolerateSlowDrawing } from "../support/slow-machine.ts";
import { useSite } from "../support/served-site.ts";
import { longText, say, untilActivity } from "../support/talk.ts";
import { avatar, clickLauncher, endSession, snippet, untilState } from "../support/widget.ts";
import { photoFile } from "../../test/photo/photo-fixture.ts";
import { framesReceived, watchOffers } from "./offers.ts";

const served = useSite({
  pages: (relayOrigin, context) => {
    const page = (render: string) =>
      hostPage(
        `<div id="here" style="width:360px;height:480px"></div>${snippet(relayOrigin, context, `data-variant="inline" data-target="#here" data-render="${render}"`)}`,
      );
    return { "/": page("local"), "/remote": page("remote") };
  },
});

test.beforeEach(({ page }) => tolerateSlowDrawing(page));

/** The page gets a photographed face in place of a drawn one. Returns the names of the modules that it loads. */
async function open(page: Page, path = "/"): Promise<string[]> {
  const modules: string[] = [];
  page.on("request", (request) => {
    const name = /\/assets\/([a-z-]+)-[^/]*\.js$/.exec(request.url())?.[1];
    if (name) modules.push(name);
  });
  const body = readFileSync(photoFile, "utf8");
  await page.route("**/characters/mina.json", (route) =>
    route.fulfill({
      ...{ body, contentType: "application/json" },
      headers: { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" },
    }),
  );
  await recordEvents(page);
  await page.goto(served.site.origin + path);
  await clickLauncher(page);
  await untilState(page, "live");
  return modules;
}

test("the browser draws a photographed face and lets it speak, without any video", async ({ page }) => {
  const directions = watchOffers(page);
  const modules = await open(page);
  await expect(avatar(page)).toHaveAttribute("data-drawn", "local");
  expect(modules).toContain("photo-look");
  expect(directions).toEqual(["none"]);
  await say(page, longText);
  await untilActivity(page, "speaking");
  await expect.poll(() => differentPictures(page, 30)).toBeGreaterThan(2);
  expect(await framesReceived(page)).toBe(0);
  await endSession(page);
  expect(await seenErrors(page)).toEqual([]);
});

test("without WebRTC the face speaks too", async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, "RTCPeerConnection"));
  await open(page, "/remote");
  await expect(avatar(page)).toHaveAttribute("data-drawn", "local");
  await say(page, longText);
  await untilActivity(page, "speaking");
  await expect.poll(() => differentPictures(page, 30)).toBeGreaterThan(2);
});

test("where its pictures cannot be decoded, the service draws", async ({ page }) => {
  await page.addInitScript(() => {
    window.createImageBitmap = () => Promise.reject(new DOMException("The picture cannot be decoded."));
  });
  await open(page);
  await expect.poll(() => framesReceived(page)).toBeGreaterThan(5);
  await expect(avatar(page)).not.toHaveAttribute("data-drawn");
});
