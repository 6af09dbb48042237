/** A conversation goes on over page loads of its tab, and is never driven by two pages. */
import { expect, test, type Page } from "../support/test.ts";
import { hostPage } from "../support/host-page.ts";
import { useProxiedSite } from "../support/served-site.ts";
import { callApi, changeContext, storedEvents, terminationReason } from "../support/service-api.ts";
import { startScriptedModel, type ScriptedModel } from "../support/scripted-model.ts";
import { leaveSilently } from "../support/slow-machine.ts";
import { untilKeeper } from "../support/page-modules.ts";
import { ask, openAvatar, transcript } from "../support/talk.ts";
import { avatar, sessionId, snippet, untilFirstFrame, untilState } from "../support/widget.ts";

const served = useProxiedSite({
  pages: (relayOrigin, context) => ({
    "/": hostPage(snippet(relayOrigin, context)),
    "/chairs": hostPage(snippet(relayOrigin, context)),
    "/elsewhere": hostPage(""),
  }),
});
let model: ScriptedModel;
/** Tests in which the service is told that the page is left. */
const leaving = "@leaving";

test.beforeAll(async () => {
  model = await startScriptedModel(served);
});
test.afterAll(() => model.close());
test.beforeEach(async ({ page }, { tags }) => {
  if (!tags.includes(leaving)) await leaveSilently(page);
});

const creates = (): number => served.proxy.requests.filter(({ path }) => path.endsWith("/sessions")).length;

/** A conversation with one answer, whose modules for the next page are there. */
async function converse(page: Page): Promise<string> {
  const keeper = untilKeeper(page);
  const id = await openAvatar(page, served.site.origin);
  await keeper;
  await ask(page, "Does it fit?");
  await expect.poll(() => transcript(page)).toContain("avatar: Yes. (final)");
  return id;
}

async function expectTakenUp(page: Page, id: string, before: readonly string[]): Promise<void> {
  await untilState(page, "live");
  await untilFirstFrame(page);
  expect(await sessionId(page)).toBe(id);
  expect(await transcript(page)).toEqual(before);
  await expect(avatar(page).getByRole("dialog")).toBeVisible();
  expect(creates()).toBe(1);
}

const loads: Record<string, (page: Page) => Promise<unknown>> = {
  "a reload": (page) => page.reload(),
  "a link to another page of the site": (page) => page.goto(`${served.site.origin}/chairs`),
};

for (const [name, load] of Object.entries(loads))
  test(`${name} keeps session and transcript, without a second greeting`, async ({ page }) => {
    const id = await converse(page);
    const before = await transcript(page);
    await load(page);
    await expectTakenUp(page, id, before);
    await ask(page, "And this?");
    await expect
      .poll(() => model.requests.at(-1)?.messages.map(({ content }) => content))
      .toContain("Does it fit?");
    expect((await storedEvents(served.server, id)).filter((kind) => kind === "SESSION_START")).toHaveLength(
      1,
    );
    expect(await terminationReason(served.server, id)).toBeNull();
  });

test("a session that ended meanwhile leaves its transcript, and the next question begins a session that knows it", async ({
  page,
}) => {
  const id = await converse(page);
  await page.goto(`${served.site.origin}/elsewhere`);
  await callApi(served.server, `/api/v1/session/${id}/event/create/`, {
    method: "POST",
    body: JSON.stringify({ event: "SESSION_END" }),
  });
  await page.goto(served.site.origin);
  await expect.poll(() => transcript(page)).toContain("visitor: Does it fit? (final)");
  await untilState(page, "idle");
  expect(creates()).toBe(1);
  await ask(page, "And this?");
  const answers = async () => (await transcript(page)).filter((line) => line === "avatar: Yes. (final)");
  await expect.poll(answers).toHaveLength(2);
  expect(await sessionId(page)).not.toBe(id);
  expect(model.requests.at(-1)?.messages.map(({ content }) => content)).toContain("Does it fit?");
});

test(
  "a page that is left for good: its session ends by itself, without END",
  { tag: leaving },
  async ({ page }) => {
    const id = await converse(page);
    await page.goto("about:blank");
    await expect.poll(() => terminationReason(served.server, id)).toBe("GRACEFUL_TERMINATION");
    expect(await storedEvents(served.server, id)).not.toContain("SESSION_END");
  },
);

test("a duplicated tab gets a session of its own", async ({ context, page }) => {
  const id = await converse(page);
  const before = await transcript(page);
  await page.reload();
  await expectTakenUp(page, id, before);
  const copied = await page.evaluate(() => Object.fromEntries(Object.entries(sessionStorage)));
  const copy = await context.newPage();
  await copy.addInitScript((entries) => {
    for (const [key, value] of Object.entries(entries)) sessionStorage.setItem(key, value);
  }, copied);
  expect(await openAvatar(copy, served.site.origin)).not.toBe(id);
  expect(await sessionId(page)).toBe(id);
  await untilState(page, "live");
});

test("persist off: leaving the page ends the session at once, and nothing is kept", async ({ page }) => {
  await changeContext(served, (context) => (context.embed_config["persist"] = "off"));
  const id = await converse(page);
  await page.reload();
  await expect.poll(() => terminationReason(served.server, id)).toBe("GRACEFUL_TERMINATION");
  await expect.poll(() => storedEvents(served.server, id)).toContain("SESSION_END");
  expect(await page.evaluate(() => Object.keys(sessionStorage))).not.toContain(
    `visavis-kept:${served.context}`,
  );
});
