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
    `<iframe src="${server.origin}/viewer/${context}?mode=voice" allow="${allow}" title="${allow}" width="400" height="560"></iframe>`;
  const page = hostPage(frame("microphone; autoplay") + frame("autoplay"));
  site = await startHostSite({ "/": page }, { relayOrigin: server.origin });
  await prepareContext(served, ({ embed_config }) => {
    embed_config["allowed_origins"] = [site.origin];
    embed_config["stt_type"] = "pocketsphinx";
  });
});

test.afterAll(async () => {
  await site.close();
});

/** Begins a conversation in a frame, and presses its microphone. */
async function talk(page: Page, allow: string): Promise<FrameLocator> {
  const viewer = page.frameLocator(`iframe[title="${allow}"]`);
  await viewer.getByRole("button", { name: "Talk with Mara" }).click();
  await viewer.locator(".vv-mic:enabled").click();
  return viewer;
}

const microphoneIn = (viewer: FrameLocator) =>
  viewer.locator("visavis-avatar").evaluate((element: AvatarElement) => element.microphone);

test("a frame with allow=microphone can be talked to; one without says why it cannot, and visitors can type", async ({
  page,
}) => {
  await page.goto(site.origin);
  const allowed = await talk(page, "microphone; autoplay");
  await expect.poll(() => microphoneIn(allowed)).toBe("on");
  const refused = await talk(page, "autoplay");
  await expect(refused.getByText("The page around Mara doesn’t allow the microphone.").first()).toBeVisible();
  expect(await microphoneIn(refused)).toBe("off");
  await refused.getByRole("button", { name: "Type instead" }).click();
  await expect(refused.getByRole("textbox")).toBeVisible();
});
