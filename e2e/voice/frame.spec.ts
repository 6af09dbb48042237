import { expect, test, type FrameLocator, type Page } from "../support/test.ts";
import { hostPage, startHostSite, type HostSite } from "../support/host-page.ts";
import { prepareContext } from "../support/service-api.ts";
import { useServer } from "../support/served-site.ts";
import type { AvatarElement } from "../support/widget.ts";

const served = useServer();
let site: HostSite;

test.beforeAll(async () => {
  const { server, context } = served;
  const frame = (allow: string) =>
    hostPage(
      `<iframe src="${server.origin}/viewer/${context}" allow="${allow}" title="Mara" width="400" height="680"></iframe>`,
    );
  const pages = { "/with": frame("microphone; autoplay"), "/without": frame("autoplay") };
  site = await startHostSite(pages, { relayOrigin: server.origin });
  await prepareContext(served, ({ embed_config }) => {
    embed_config["allowed_origins"] = [site.origin];
    embed_config["stt_type"] = "pocketsphinx";
  });
});

test.afterAll(async () => {
  await site.close();
});

/** Begins a conversation in the frame, and presses its microphone. */
async function talk(page: Page, path: string): Promise<FrameLocator> {
  await page.goto(site.origin + path);
  const viewer = page.frameLocator("iframe");
  await viewer.getByRole("button", { name: "Talk with Mara" }).click();
  await viewer.locator(".vv-mic:enabled").click();
  return viewer;
}

const microphoneIn = (viewer: FrameLocator) =>
  viewer.locator("visavis-avatar").evaluate((element: AvatarElement) => element.microphone);

test("a frame with allow=microphone can be talked to", async ({ page }) => {
  const viewer = await talk(page, "/with");
  await expect.poll(() => microphoneIn(viewer)).toBe("on");
});

test("a frame without it says why the microphone does not work, and visitors can type", async ({ page }) => {
  const viewer = await talk(page, "/without");
  await expect(viewer.getByText("The page around Mara doesn’t allow the microphone.").first()).toBeVisible();
  expect(await microphoneIn(viewer)).toBe("off");
  await viewer.getByRole("button", { name: "Type instead" }).click();
  await expect(viewer.getByRole("textbox")).toBeVisible();
});
