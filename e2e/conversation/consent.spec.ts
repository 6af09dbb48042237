/** The owner's consent page comes before anything is sent or stored. */
import { expect, test } from "../support/test.ts";
import { useProxiedSite } from "../support/served-site.ts";
import { leaveSilently } from "../support/slow-machine.ts";
import { untilKeeper } from "../support/page-modules.ts";
import { transcript } from "../support/talk.ts";
import { avatar, launcher, untilState, type AvatarElement } from "../support/widget.ts";

const consentText = "Mara works with what you write.";
const served = useProxiedSite({
  change: ({ embed_config }) => (embed_config["ui"] = { consent_text: consentText }),
  attributes: 'data-mode="text"',
});

test("before consent nothing is sent and stored, and after it the conversation is kept in the tab alone", async ({
  page,
}) => {
  const stored = () => page.evaluate(() => [Object.keys(sessionStorage), Object.keys(localStorage)]);
  const sessions = (): number =>
    served.proxy.requests.filter(({ path }) => path.endsWith("/sessions")).length;
  await leaveSilently(page);
  await page.goto(served.site.origin);
  await launcher(page).click();
  await expect(avatar(page).getByText(consentText)).toBeVisible();
  await page.reload();
  expect(await stored()).toEqual([[], []]);
  const keeper = untilKeeper(page);
  await launcher(page).waitFor();
  await page.waitForFunction(() => "send" in document.querySelector("visavis-avatar")!);
  await avatar(page).evaluate((element: AvatarElement) => void element.send("Do you deliver?"));
  await expect(avatar(page).getByText(consentText)).toBeVisible();
  expect(sessions()).toBe(0);
  await avatar(page).getByRole("button", { name: "Start the conversation" }).click();
  await untilState(page, "live");
  await expect.poll(() => transcript(page)).toContain("visitor: Do you deliver? (final)");
  await keeper;
  await page.reload();
  await untilState(page, "live");
  expect(sessions()).toBe(1);
  const [inTab, onDevice] = await stored();
  expect(inTab).toContain(`visavis-consent:${served.context}`);
  expect(onDevice).toEqual(["visavis-visitor"]);
});
