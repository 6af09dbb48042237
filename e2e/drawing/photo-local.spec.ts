/** Characters from photographs in the widget. The file says what draws it, so a drawn character's address serves for the tests. */
import { readFileSync } from "node:fs";
import { expect, test } from "../support/test.ts";
import { captionedWords, recordEvents, seenErrors } from "../support/page-records.ts";
import { hostPage } from "../support/host-page.ts";
import { differentPictures } from "../support/picture.ts";
import { tolerateSlowDrawing } from "../support/slow-machine.ts";
import { useSite } from "../support/served-site.ts";
import { say, untilActivity } from "../support/talk.ts";
import { avatar, endSession, snippet, startSession, untilState } from "../support/widget.ts";
import { photoFile } from "../../test/photo/photo-fixture.ts";

const served = useSite({
  pages: (relayOrigin, context) => ({
    "/": hostPage(
      `<div id="here" style="width:240px;height:320px"></div>${snippet(relayOrigin, context, 'data-variant="inline" data-render="remote" data-target="#here"')}`,
    ),
  }),
});

test("without WebRTC the browser draws a photographed face, which speaks with captions and ends without an error", async ({
  page,
}) => {
  await tolerateSlowDrawing(page);
  await page.addInitScript(() => Reflect.deleteProperty(window, "RTCPeerConnection"));
  const body = readFileSync(photoFile, "utf8");
  await page.route("**/characters/mina.json", (route) =>
    route.fulfill({
      ...{ body, contentType: "application/json" },
      headers: { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" },
    }),
  );
  await recordEvents(page);
  await page.goto(served.site.origin);
  await startSession(page);
  await untilState(page, "live");
  await expect(avatar(page)).toHaveAttribute("data-drawn", "local");
  await say(page, "This face was drawn here.");
  await untilActivity(page, "speaking");
  await expect.poll(() => differentPictures(page, 30)).toBeGreaterThan(2);
  await expect.poll(() => captionedWords(page)).toContain("here.");
  await endSession(page);
  expect(await seenErrors(page)).toEqual([]);
});
