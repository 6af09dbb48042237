/** The owner's consent page comes before anything is sent, whichever way the page begins. */
import { expect, test, type Locator, type Page } from "../support/test.ts";
import { hostPage } from "../support/host-page.ts";
import { useProxiedSite } from "../support/served-site.ts";
import { leaveSilently } from "../support/slow-machine.ts";
import { changeContext } from "../support/service-api.ts";
import { untilKeeper } from "../support/page-modules.ts";
import { transcript } from "../support/talk.ts";
import { avatar, launcher, snippet, untilState, type AvatarElement } from "../support/widget.ts";

const consentText = "Mara works with what you write.";

const served = useProxiedSite({
  change: ({ embed_config }) => (embed_config["ui"] = { consent_text: consentText }),
  pages: (relayOrigin, context) => ({
    "/": hostPage(snippet(relayOrigin, context)),
    "/framed": hostPage(
      `<iframe src="${relayOrigin}/viewer/${context}" title="Mara" width="420" height="640">`,
    ),
  }),
});

const sessions = (): number => served.proxy.requests.filter(({ path }) => path.endsWith("/sessions")).length;

const waysIn: Record<string, (element: AvatarElement) => void> = {
  "start()": (element) => void element.start(),
  "send()": (element) => void element.send("How much is the Alder reading chair?"),
  "say()": (element) => element.say("Look at the oak table."),
};

async function agree(panel: Locator, button = "Start the conversation"): Promise<void> {
  await expect(panel.getByText(consentText)).toBeVisible();
  expect(sessions()).toBe(0);
  await panel.getByRole("button", { name: button }).click();
}

async function begin(page: Page): Promise<void> {
  await agree(avatar(page));
  await untilState(page, "live");
}

for (const [name, call] of Object.entries(waysIn))
  test(`${name} shows the consent page first, and goes on when the visitor has agreed`, async ({ page }) => {
    await page.goto(served.site.origin);
    await launcher(page).waitFor();
    await avatar(page).evaluate(call);
    await begin(page);
    if (name === "send()")
      await expect
        .poll(() => transcript(page))
        .toContain("visitor: How much is the Alder reading chair? (final)");
    if (name === "say()")
      await expect.poll(async () => (await transcript(page)).join()).toContain("Look at the oak table.");
    expect(sessions()).toBe(1);
  });

test("commands of the page around the viewer show the consent page too", async ({ page }) => {
  await page.goto(`${served.site.origin}/framed`);
  const panel = page.frameLocator("iframe").locator("visavis-avatar");
  await expect(panel).toHaveAttribute("context-id", served.context);
  await expect(async () => {
    // It may not listen yet.
    await page.evaluate(() => {
      const command = { target: "visavis", command: "send", args: ["How much is it?"] };
      document.querySelector("iframe")!.contentWindow!.postMessage(command, "*");
    });
    expect(await panel.getByText(consentText).isVisible()).toBe(true);
  }).toPass({ intervals: [1_000] });
  await agree(panel, "Talk with Mina");
  await expect
    .poll(() => panel.evaluate((element: AvatarElement) => element.transcript.map(({ text }) => text)))
    .toContain("How much is it?");
});

test("consent is remembered in the tab: after a load, the launcher starts at once", async ({ page }) => {
  await page.goto(served.site.origin);
  await launcher(page).click();
  await begin(page);
  await avatar(page).evaluate((element: AvatarElement) => element.end());
  await page.reload();
  await launcher(page).click();
  await untilState(page, "live");
});

test("consent is remembered on the device where the owner says so: another tab starts at once", async ({
  page,
}) => {
  await changeContext(served, (context) => {
    context.embed_config["ui"] = { consent_text: consentText, consent_remember: "device" };
  });
  await page.goto(served.site.origin);
  await launcher(page).click();
  await begin(page);
  await avatar(page).evaluate((element: AvatarElement) => element.end());
  const other = await page.context().newPage();
  await other.goto(served.site.origin);
  await launcher(other).click();
  await untilState(other, "live");
});

test("before consent nothing is stored, and after it the conversation is kept in the tab alone", async ({
  page,
}) => {
  await changeContext(served, (context) => {
    context.embed_config["ui"] = { consent_text: consentText };
  });
  const stored = () => page.evaluate(() => [Object.keys(sessionStorage), Object.keys(localStorage)]);
  await leaveSilently(page);
  await page.goto(served.site.origin);
  await launcher(page).click();
  await expect(avatar(page).getByText(consentText)).toBeVisible();
  await page.reload();
  expect(await stored()).toEqual([[], []]);
  const keeper = untilKeeper(page);
  await launcher(page).click();
  await begin(page);
  await keeper;
  await page.reload();
  await untilState(page, "live");
  const [inTab, onDevice] = await stored();
  expect(inTab).toContain(`visavis-consent:${served.context}`);
  expect(onDevice).toEqual(["visavis-visitor"]);
});
