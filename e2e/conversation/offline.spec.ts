/** What a visitor wants without a connection is kept, and done once when it is back. */
import { expect, test } from "../support/test.ts";
import { recordEvents, seenErrors } from "../support/page-records.ts";
import { useProxiedSite } from "../support/served-site.ts";
import { untilModule } from "../support/page-modules.ts";
import { ask, transcript } from "../support/talk.ts";
import { avatar, clickLauncher, launcher, untilState } from "../support/widget.ts";

const served = useProxiedSite({ attributes: 'data-mode="text"' });

test("a click and a question of a visitor who is offline wait, and begin and are sent once when the browser is online", async ({
  context,
  page,
}) => {
  const question = "How much is the Alder reading chair?";
  const asksAt = (): number => served.proxy.requests.filter(({ path }) => path.endsWith("/llm")).length;
  const setOffline = async (offline: boolean): Promise<void> => {
    await context.setOffline(offline);
    await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(!offline);
  };
  await recordEvents(page);
  await page.goto(served.site.origin);
  await launcher(page).waitFor();
  await setOffline(true);
  await clickLauncher(page);
  await expect(page.locator("visavis-avatar .vv-label")).toHaveText(/You’re offline/);
  const loaded = untilModule(page, "turns");
  await setOffline(false);
  await untilState(page, "live");
  await loaded;
  await page.evaluate(() => void (window.seenEvents.length = 0));

  await setOffline(true);
  await ask(page, question);
  await expect.poll(() => transcript(page)).toContain(`visitor: ${question} (waiting)`);
  await expect(avatar(page).locator("[part~=transcript]")).toContainText("Waiting to be sent");
  expect(asksAt()).toBe(0);
  await setOffline(false);
  await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(/^avatar: .*480 euros.* \(final\)$/);
  expect(asksAt()).toBe(1);
  expect((await transcript(page)).filter((line) => line.startsWith("visitor"))).toHaveLength(1);
  expect(await seenErrors(page)).toEqual([]);
});
