/** A browser that has neither WebRTC nor the avatar's files cannot show it: the conversation is in writing, and the panel says why. */
import { expect, test } from "../support/test.ts";
import { recordEvents, seenErrors } from "../support/page-records.ts";
import { useSite } from "../support/served-site.ts";
import { transcript } from "../support/talk.ts";
import { avatar, clickLauncher, untilState, withPicture } from "../support/widget.ts";

const served = useSite({ attributes: withPicture });

const why = "This browser can’t show the avatar, so Mara answers in writing.";

test("without WebRTC and the avatar's files the conversation is in writing from the first click, and the panel says why", async ({
  page,
}) => {
  // As a relay answers whose service hands out no files.
  await page.route(`**/embed/v1/contexts/${served.context}`, async (route) => {
    const response = await route.fetch();
    const { drawing: _drawing, ...context } = (await response.json()) as Record<string, unknown>;
    await route.fulfill({ response, json: context });
  });
  await recordEvents(page);
  await page.addInitScript(() => Reflect.deleteProperty(window, "RTCPeerConnection"));
  const asked = page.waitForRequest(/\/embed\/v1\/sessions$/);
  await page.goto(served.site.origin);
  await clickLauncher(page);
  expect((await asked).postDataJSON()).toMatchObject({ mode: "text" });
  await untilState(page, "live");
  const panel = avatar(page);
  await expect(panel.getByRole("dialog").getByText(why).first()).toBeVisible();
  await expect(panel.getByRole("status")).toHaveText(why);
  const field = panel.getByRole("textbox");
  await field.fill("How much is the Alder reading chair?");
  await field.press("Enter");
  await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(/^avatar: .*480 euros.* \(final\)$/);
  await expect(panel.getByRole("region", { name: "Transcript" })).toContainText("480 euros");
  expect(await seenErrors(page)).toEqual([]);
});
