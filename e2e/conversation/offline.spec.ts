/** What a visitor asks without a connection is kept, and sent once when it is back. */
import { expect, test, type BrowserContext, type Page } from "../support/test.ts";
import { recordEvents, seenErrors } from "../support/page-records.ts";
import { useProxiedSite } from "../support/served-site.ts";
import { untilModule } from "../support/page-modules.ts";
import { ask, openAvatar, transcript } from "../support/talk.ts";
import { avatar, clickLauncher, launcher, untilFirstFrame, untilState } from "../support/widget.ts";

const served = useProxiedSite();

const question = "How much is the Alder reading chair?";
const answer = /^avatar: .*480 euros.* \(final\)$/;

const asksAt = (): number => served.proxy.requests.filter(({ path }) => path.endsWith("/llm")).length;
const captionBar = (page: Page) => avatar(page).locator("[part~=words]");

/** Opens the avatar. Resolves when the modules are there that a conversation needs: they come after the first frame. */
async function openReady(page: Page, atOnce = (): Promise<void> => Promise.resolve()): Promise<void> {
  const loaded = untilModule(page, "turns");
  await openAvatar(page, served.site.origin);
  await atOnce();
  await loaded;
}

async function cut(context: BrowserContext, page: Page): Promise<void> {
  await context.setOffline(true);
  await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(false);
}

test("a question asked offline is shown as waiting, and is sent once when the browser is online", async ({
  context,
  page,
}) => {
  await recordEvents(page);
  await openReady(page);
  await cut(context, page);
  await ask(page, question);
  await expect.poll(() => transcript(page)).toContain(`visitor: ${question} (waiting)`);
  await expect(captionBar(page)).toContainText("Waiting to be sent");
  expect(asksAt()).toBe(0);
  await context.setOffline(false);
  await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(answer);
  expect(asksAt()).toBe(1);
  expect((await transcript(page)).filter((line) => line.startsWith("visitor"))).toHaveLength(1);
  expect(await seenErrors(page)).toEqual([]);
});

test("a question that could not be sent for a minute can be sent again or discarded", async ({
  context,
  page,
}) => {
  await page.clock.install();
  await openReady(page, () => page.clock.runFor(2_000));
  served.proxy.rule = ({ path }) => (path.endsWith("/llm") ? { kind: "refuse", status: 599 } : undefined);
  await cut(context, page);
  await ask(page, "Is anybody there?");
  await expect(captionBar(page)).toContainText("Waiting to be sent");
  await page.clock.fastForward(61_000);
  await expect.poll(() => transcript(page)).toContain("visitor: Is anybody there? (failed)");
  const bar = avatar(page);
  await expect(bar.getByRole("button", { name: "Send again" })).toBeVisible();
  await bar.getByRole("button", { name: "Discard" }).click();
  await expect.poll(() => transcript(page)).not.toContain("visitor: Is anybody there? (failed)");
});

test("a question that the relay does not get waits, and is sent once when the relay answers again", async ({
  page,
}) => {
  await recordEvents(page);
  await openReady(page);
  served.proxy.rule = ({ path }) => (path.endsWith("/llm") ? { kind: "cut-off" } : undefined);
  await ask(page, question);
  await expect.poll(() => transcript(page)).toContain(`visitor: ${question} (waiting)`);
  served.proxy.rule = null;
  served.proxy.requests.length = 0;
  await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(answer);
  expect(asksAt()).toBe(1);
  expect(await seenErrors(page)).toEqual([]);
});

test("a click on the launcher while offline says so, and starts by itself when the browser is online", async ({
  context,
  page,
}) => {
  await page.goto(served.site.origin);
  await launcher(page).waitFor();
  await cut(context, page);
  await clickLauncher(page);
  await expect(page.locator("visavis-avatar .vv-label")).toHaveText(/You’re offline/);
  await context.setOffline(false);
  await untilState(page, "live");
  await untilFirstFrame(page);
});

test("an open panel says that the browser is offline, and starts by itself when it is online", async ({
  context,
  page,
}) => {
  await openAvatar(page, served.site.origin);
  await avatar(page).getByRole("button", { name: "End the conversation" }).click();
  await untilState(page, "ended");
  await cut(context, page);
  await avatar(page).getByRole("button", { name: "Talk again" }).click();
  await expect(captionBar(page)).toContainText("You’re offline.");
  await context.setOffline(false);
  await untilState(page, "live");
});
