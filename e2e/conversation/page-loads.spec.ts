/** A conversation goes on over page loads of its tab, and is never driven by two pages. */
import { expect, test } from "../support/test.ts";
import { hostPage } from "../support/host-page.ts";
import { useProxiedSite } from "../support/served-site.ts";
import { storedEvents, terminationReason } from "../support/service-api.ts";
import { leaveSilently } from "../support/slow-machine.ts";
import { untilKeeper } from "../support/page-modules.ts";
import { ask, askAndWait, openAvatar, transcript } from "../support/talk.ts";
import { avatar, sessionId, snippet, untilState, type AvatarElement } from "../support/widget.ts";

const avatarPage = (relayOrigin: string, context: string) =>
  hostPage(snippet(relayOrigin, context, 'data-mode="text"'));
const served = useProxiedSite({
  pages: (...of) => ({ "/": avatarPage(...of), "/chairs": avatarPage(...of) }),
});

test("a reload and a link keep session and transcript, without a second greeting, and a duplicated tab gets a session of its own", async ({
  context,
  page,
}) => {
  const creates = (): number => served.proxy.requests.filter(({ path }) => path.endsWith("/sessions")).length;
  const answered = /^avatar: .*480 euros/;
  await leaveSilently(page);
  const keeper = untilKeeper(page);
  const id = await openAvatar(page, served.site.origin);
  await keeper;
  await askAndWait(page, "How much is the Alder reading chair?");
  await avatar(page).evaluate((element: AvatarElement) =>
    element.show({ cards: [{ title: "Alder chair" }] }),
  );
  const before = await transcript(page);
  expect(before.some((line) => answered.test(line))).toBe(true);
  const expectTakenUp = async (): Promise<void> => {
    await untilState(page, "live");
    expect(await sessionId(page)).toBe(id);
    expect(await transcript(page)).toEqual(before);
    await expect(avatar(page).getByRole("dialog")).toBeVisible();
    await expect(avatar(page).getByRole("article", { name: "Alder chair" })).toBeVisible();
    expect(creates()).toBe(1);
  };

  await page.reload();
  await expectTakenUp();
  await page.goto(`${served.site.origin}/chairs`);
  await expectTakenUp();
  const request = page.waitForRequest(/\/llm$/);
  await ask(page, "And the Birch chair?");
  expect((await request).postData()).toContain("How much is the Alder reading chair?");
  expect((await storedEvents(served.server, id)).filter((kind) => kind === "SESSION_START")).toHaveLength(1);
  expect(await terminationReason(served.server, id)).toBeNull();

  const copied = await page.evaluate(() => Object.fromEntries(Object.entries(sessionStorage)));
  const copy = await context.newPage();
  await copy.addInitScript((entries) => {
    for (const [key, value] of Object.entries(entries)) sessionStorage.setItem(key, value);
  }, copied);
  expect(await openAvatar(copy, served.site.origin)).not.toBe(id);
  expect(await sessionId(page)).toBe(id);
  await untilState(page, "live");
});
