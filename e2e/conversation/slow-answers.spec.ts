/** Models that think, or are still being loaded: the visitor hears of it, and need not wait. */
import { expect, test, type Page } from "../support/test.ts";
import { hostPage } from "../support/host-page.ts";
import { says, startScriptedModel, type ScriptedModel } from "../support/scripted-model.ts";
import { useSite } from "../support/served-site.ts";
import { ask } from "../support/talk.ts";
import { avatar, clickLauncher, snippet, untilState } from "../support/widget.ts";

const served = useSite({
  pages: (relay, context) => ({
    "/": hostPage(snippet(relay, context, 'data-mode="text"')),
    "/captions": hostPage(snippet(relay, context)),
  }),
});
let model: ScriptedModel;

test.beforeAll(async () => {
  // A busy machine may take long to look at what it waits for.
  model = await startScriptedModel(served, { first_byte_sec: 300 });
});
test.afterAll(() => model.close());

/** Stops the page's animations, which count the seconds. Resolves with what lets them go on. */
async function stopTime(page: Page): Promise<() => Promise<unknown>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Animation.enable");
  await devtools.send("Animation.setPlaybackRate", { playbackRate: 0 });
  return () => devtools.send("Animation.setPlaybackRate", { playbackRate: 1 });
}

test("an answer that takes longer than 8 s says so, and can be stopped", async ({ page }) => {
  let isLeft = false;
  model.answer = (response) => response.on("close", () => (isLeft = true));
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  const begin = await stopTime(page);
  await ask(page, "Does it fit?");
  const log = avatar(page).locator("[part~=transcript]");
  const word = log.getByText("This takes longer than usual.");
  await expect(log.getByText("Thinking")).toBeVisible();
  await expect(word).toBeAttached();
  await expect(word).toBeHidden();
  await begin();
  await expect(word).toBeVisible();
  await log.getByRole("button", { name: "Interrupt" }).click();
  await expect(log.getByText("Thinking")).toHaveCount(0);
  // The model need not go on either.
  await expect.poll(() => isLeft).toBe(true);
  model.answer = says("It fits.");
  await ask(page, "And now?");
  await expect(log).toContainText("It fits.");
});

test("so does one in the captions' view, where it can be stopped too", async ({ page }) => {
  let isLeft = false;
  model.answer = (response) => response.on("close", () => (isLeft = true));
  await page.goto(`${served.site.origin}/captions`);
  await clickLauncher(page);
  await untilState(page, "live");
  const begin = await stopTime(page);
  await ask(page, "Does it fit?");
  const captions = avatar(page).locator("[part~=words]");
  const word = captions.getByText("This takes longer than usual.");
  await expect(captions.getByText("Does it fit?")).toBeVisible();
  await expect(word).toBeAttached();
  await expect(word).toBeHidden();
  await begin();
  await expect(word).toBeVisible();
  await captions.getByRole("button", { name: "Interrupt" }).click();
  await expect(word).toHaveCount(0);
  await expect.poll(() => isLeft).toBe(true);
});
