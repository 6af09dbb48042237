import { createCanvas } from "@napi-rs/canvas";
import { expect, test, type Page } from "../support/test.ts";
import { hostPage, startHostSite } from "../support/host-page.ts";
import { pictureOf, type Picture } from "../support/picture.ts";
import { callApi, prepareContext } from "../support/service-api.ts";
import { canaryKey, startServer } from "../support/stack.ts";
import {
  snippet,
  stageFrame,
  startSession,
  untilFirstFrame,
  untilState,
  withPicture,
} from "../support/widget.ts";

/** A picture in a colour that nothing else on the page has. */
function greenPicture(): string {
  const canvas = createCanvas(64, 64);
  const context = canvas.getContext("2d");
  context.fillStyle = "rgb(0, 255, 0)";
  context.fillRect(0, 0, 64, 64);
  return canvas.toDataURL("image/png");
}

/** Black and white lines of one pixel each, which a phone shows about 75 pixels high. */
function linedPicture(): string {
  const canvas = createCanvas(8, 8);
  const context = canvas.getContext("2d");
  for (let y = 0; y < 8; y++) {
    context.fillStyle = y % 2 === 0 ? "black" : "white";
    context.fillRect(0, y, 8, 1);
  }
  return canvas.toDataURL("image/png");
}

/** A page with the avatar before this background. */
async function startPageWithBackground(image: string, attributes: string) {
  const service = await startServer("service");
  const relay = await startServer("relay", {
    SERVICE_BASE_URL: service.origin,
    SERVICE_API_KEY: canaryKey,
  });
  const site = await startHostSite(
    {
      "/": hostPage(
        `<div id="here"></div>${snippet(relay.origin, "ctx_demo", `${attributes} ${withPicture}`)}`,
      ),
    },
    { relayOrigin: relay.origin },
  );
  const created = await callApi(service, "/api/v1/background_image/", {
    method: "POST",
    body: JSON.stringify({ title: "Meadow", image }),
  });
  const { backgroundimage_id: id } = (await created.json()) as { backgroundimage_id: string };
  await prepareContext(
    { server: service, context: "ctx_demo" },
    (context) => (context.background_image = id),
  );
  return {
    origins: { site: site.origin, relay: relay.origin, service: service.origin },
    close: async () => {
      await site.close();
      await relay.stop();
      await service.stop();
    },
  };
}

async function start(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await startSession(page);
  await untilState(page, "live");
  await untilFirstFrame(page);
}

test("a background that was created through the interface is shown behind the avatar, and only the relay serves it", async ({
  page,
}) => {
  const { origins, close } = await startPageWithBackground(
    greenPicture(),
    'data-variant="inline" data-target="#here"',
  );
  try {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).origin));
    await start(page, origins.site);
    await expect
      .poll(async () => {
        const { at, width, height } = await pictureOf(page, stageFrame(page));
        return at(width * 0.04, height * 0.5);
      })
      .toEqual([0, 255, 0]);
    expect(asked).toContain(origins.relay);
    expect(asked).not.toContain(origins.service);
  } finally {
    await close();
  }
});

/** Share of the pixels at the picture's left edge that are neither black nor white. */
function greyShare({ at, width, height }: Picture): number {
  let grey = 0;
  const [from, to] = [Math.ceil(height * 0.15), Math.floor(height * 0.5)];
  for (let y = from; y < to; y++) {
    const [, level] = at(width * 0.02, y);
    if (level > 40 && level < 215) grey += 1;
  }
  return grey / (to - from);
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, hasTouch: true });

  test("a small background is shown smoothly, not in blocks", async ({ page }) => {
    const { origins, close } = await startPageWithBackground(linedPicture(), "");
    try {
      await start(page, origins.site);
      const share = async () => greyShare(await pictureOf(page, stageFrame(page)));
      await expect.poll(share).toBeGreaterThan(0.4);
      // The same picture in blocks.
      await stageFrame(page).evaluate((element) => (element.style.imageRendering = "pixelated"));
      await expect.poll(share).toBeLessThan(0.2);
    } finally {
      await close();
    }
  });
});
