import { createCanvas } from "@napi-rs/canvas";
import { expect, test } from "@playwright/test";
import { hostPage, startHostSite } from "./support/host-page.ts";
import { pictureOf } from "./support/picture.ts";
import { callApi, changeContext } from "./support/service-api.ts";
import { canaryKey, startServer } from "./support/stack.ts";
import { snippet, stageFrame, startSession, untilFirstFrame, untilState } from "./support/widget.ts";

/** A picture in a colour that nothing else on the page has. */
function greenPicture(): string {
  const canvas = createCanvas(64, 64);
  const context = canvas.getContext("2d");
  context.fillStyle = "rgb(0, 255, 0)";
  context.fillRect(0, 0, 64, 64);
  return canvas.toDataURL("image/png");
}

test("a background that was created through the interface is shown behind the avatar, and only the relay serves it", async ({
  page,
}) => {
  const service = await startServer("service");
  const relay = await startServer("relay", {
    SERVICE_BASE_URL: service.origin,
    SERVICE_API_KEY: canaryKey,
  });
  const site = await startHostSite(
    {
      "/": hostPage(
        `<div id="here"></div>${snippet(relay.origin, "ctx_demo", 'data-variant="inline" data-target="#here"')}`,
      ),
    },
    { relayOrigin: relay.origin },
  );
  try {
    const created = await callApi(service, "/api/v1/background_image/", {
      method: "POST",
      body: JSON.stringify({ title: "Meadow", image: greenPicture() }),
    });
    const { backgroundimage_id: id } = (await created.json()) as { backgroundimage_id: string };
    await changeContext(service, "ctx_demo", (context) => (context.background_image = id));
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).origin));
    await page.goto(site.origin);
    await startSession(page);
    await untilState(page, "live");
    await untilFirstFrame(page);
    await expect
      .poll(async () => {
        const { at, width, height } = await pictureOf(page, stageFrame(page));
        return at(width * 0.04, height * 0.5);
      })
      .toEqual([0, 255, 0]);
    expect(asked).toContain(relay.origin);
    expect(asked).not.toContain(service.origin);
  } finally {
    await site.close();
    await relay.stop();
    await service.stop();
  }
});
