/** Conversations in writing have a widget of their own, which loads connection, picture and sound only where they are wanted. */
import { expect, test, type Page } from "./support/test.ts";
import { hostPage } from "./support/host-page.ts";
import { recordEvents, seenErrors } from "./support/page-records.ts";
import { useServer, useSite } from "./support/served-site.ts";
import { untilModule } from "./support/page-modules.ts";
import { transcript } from "./support/talk.ts";
import {
  avatar,
  clickLauncher,
  snippet,
  tryAgainButton,
  untilFirstFrame,
  untilState,
  type AvatarElement,
} from "./support/widget.ts";

const asking = useServer({
  change: ({ embed_config }) => {
    embed_config["ui"] = { ...(embed_config["ui"] as object), consent_text: "We keep nothing. All right?" };
  },
});

const served = useSite({
  pages: (relayOrigin, context) => ({
    "/": hostPage(snippet(relayOrigin, context, 'data-mode="text"')),
    "/consent": hostPage(snippet(relayOrigin, asking.context, 'data-mode="text"')),
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
const ofAvatars = [
  "widget",
  "media",
  "peer-link",
  "picture-controller",
  "recovery",
  "plain-renderer",
  "local-avatar",
];

test("a conversation in writing never loads what only an avatar needs", async ({ page }) => {
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
  expect(loaded).toContain("writing");
  expect(loaded.filter((name) => ofAvatars.includes(name))).toEqual([]);
  await expect(avatar(page).locator(".vv-view img")).toBeVisible();
  expect(await seenErrors(page)).toEqual([]);
});

test("a page that changes its mind gets its avatar from the same element", async ({ page }) => {
  await recordEvents(page);
  await page.goto(served.site.origin);
  await avatar(page).evaluate((element) => element.removeAttribute("mode"));
  await clickLauncher(page);
  await untilState(page, "live");
  await untilFirstFrame(page);
  await expect(avatar(page).locator(".vv-stage")).toBeVisible();
  const loaded = await loadedModules(page);
  expect(loaded).toContain("writing");
  expect(loaded).toContain("media");
  expect(loaded).not.toContain("widget");
  expect(await seenErrors(page)).toEqual([]);
});

test("a picture that is shown large is the real one", async ({ page }) => {
  await page.goto(`${served.site.origin}/consent`);
  await clickLauncher(page);
  await expect(avatar(page).getByRole("dialog")).toContainText("We keep nothing. All right?");
  await expect(avatar(page).locator(".vv-stage")).toBeVisible();
});

test("an element that is removed while its session's module is loading starts none", async ({ page }) => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/assets\/browser-session-/, async (route) => {
    await held;
    await route.continue();
  });
  const sessions: string[] = [];
  page.on("request", (request) => {
    if (/\/embed\/v1\/sessions$/.test(request.url())) sessions.push(request.url());
  });
  await page.goto(served.site.origin);
  const asked = page.waitForRequest(/\/assets\/browser-session-/);
  await clickLauncher(page);
  await asked;
  const loaded = untilModule(page, "browser-session");
  await avatar(page).evaluate((element) => element.remove());
  release();
  await loaded;
  // The page works on, so what would have been asked by now is known.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  expect(sessions).toEqual([]);
});

test("a session's module that cannot be loaded is told, and the question is asked when it can be", async ({
  page,
}) => {
  await recordEvents(page);
  await page.route(/\/assets\/browser-session-/, (route) => route.abort());
  await page.goto(served.site.origin);
  const question = "How much is the Alder reading chair?";
  const asking = avatar(page).evaluate((element: AvatarElement, text) => element.send(text), question);
  await expect(asking).rejects.toThrow("could not be loaded");
  await avatar(page).evaluate((element: AvatarElement) => element.open());
  await expect(tryAgainButton(page)).toBeVisible();
  await page.unroute(/\/assets\/browser-session-/);
  await tryAgainButton(page).click();
  await untilState(page, "live");
  await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(/^avatar: .*480 euros.* \(final\)$/);
  const asked = (await transcript(page)).filter((line) => line.startsWith("visitor"));
  expect(asked).toEqual([`visitor: ${question} (final)`]);
  expect(await seenErrors(page)).toEqual(["network"]);
});

test("before its first words a conversation in writing has loaded neither session nor transcript", async ({
  page,
}) => {
  await page.goto(served.site.origin);
  await avatar(page).evaluate((element: AvatarElement) => element.open());
  await expect(avatar(page).getByRole("dialog")).toBeVisible();
  expect(await loadedModules(page)).not.toContain("browser-session");
  await avatar(page)
    .getByRole("button", { name: /^Start/ })
    .click();
  await untilState(page, "live");
  expect(await loadedModules(page)).toContain("browser-session");
});
