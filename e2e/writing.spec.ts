/** Conversations in writing connect nothing and load no picture of an avatar until one is wanted. */
import { expect, test, type Page } from "./support/test.ts";
import { hostPage } from "./support/host-page.ts";
import { recordEvents, seenErrors } from "./support/page-records.ts";
import { useSite } from "./support/served-site.ts";
import { tolerateSlowDrawing } from "./support/slow-machine.ts";
import { transcript } from "./support/talk.ts";
import {
  avatar,
  clickLauncher,
  endSession,
  launcher,
  snippet,
  untilFirstFrame,
  untilState,
} from "./support/widget.ts";

const served = useSite({
  pages: (relayOrigin, context) => ({
    "/": hostPage(snippet(relayOrigin, context, 'data-mode="text"')),
    "/drawn": hostPage(snippet(relayOrigin, context, 'data-mode="text"', "local")),
  }),
});

/** The modules that the page has loaded, without their hashes. */
async function loadedModules(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .flatMap(({ name }) => /\/assets\/(.+)-[\w-]{8}\.js$/.exec(name)?.[1] ?? []),
  );
}

/** What only an avatar needs. */
const ofAvatars = ["recovery", "plain-renderer", "drawing-choice", "drawn-look"];

test("a conversation in writing never loads what only an avatar needs, and a page that changes its mind gets its avatar from the same element", async ({
  page,
}) => {
  await tolerateSlowDrawing(page);
  await recordEvents(page);
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  const field = avatar(page).getByRole("textbox");
  await field.fill("How much is the Alder reading chair?");
  await field.press("Enter");
  await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(/^avatar: .*480 euros.* \(final\)$/);
  // It comes with what takes care of the live session.
  await expect.poll(() => loadedModules(page)).toContain("session-renewal");
  const loaded = await loadedModules(page);
  expect(loaded.filter((name) => ofAvatars.includes(name))).toEqual([]);
  await expect(avatar(page).locator(".vv-view img[src*=poster]")).toBeVisible();
  expect(await seenErrors(page)).toEqual([]);

  await endSession(page);
  await page.goto(`${served.site.origin}/drawn`);
  await launcher(page).waitFor();
  await avatar(page).evaluate((element) => element.removeAttribute("mode"));
  await clickLauncher(page);
  await untilState(page, "live");
  await untilFirstFrame(page);
  await expect(avatar(page).locator(".vv-stage")).toBeVisible();
  expect(await seenErrors(page)).toEqual([]);
});
