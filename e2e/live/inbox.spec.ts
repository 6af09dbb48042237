/** Nobody is there: a visitor leaves a message in one browser, and its owner reads and answers it in another. */
import { expect, test, type Browser, type Page } from "../support/test.ts";
import { expectAccessible, expectNoSidewaysScrolling, signIn } from "../console/console-fixture.ts";
import { hostPage } from "../support/host-page.ts";
import { useSite } from "../support/served-site.ts";
import { callApi, readContext } from "../support/service-api.ts";
import { askAndWait } from "../support/talk.ts";
import { avatar, clickLauncher, endSession, snippet, untilState } from "../support/widget.ts";

const served = useSite({
  change: ({ embed_config }) => {
    embed_config["ui"] = {
      owner_name: "Alder Home",
      handover_message: ["email", "name"],
      handover_consent: "You may answer me by e-mail.",
    };
  },
  pages: (relay, context) => ({
    "/": hostPage(snippet(relay, context, 'data-mode="text"')),
    "/ar": hostPage(snippet(relay, context, 'data-mode="text" data-lang="ar"')),
  }),
});

/** The inbox with the messages to this file's avatar alone. */
let inbox = "";

test.beforeAll(async () => {
  inbox = `/inbox?avatar=${(await readContext(served)).id}`;
});

/** The visitor's page, with the conversation open. */
async function visit(browser: Browser, options: Parameters<Browser["newContext"]>[0] = {}, path = "/") {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(served.site.origin + path);
  await clickLauncher(page);
  await untilState(page, "live");
  return page;
}

const form = (page: Page) => avatar(page).getByRole("form", { name: "Leave a message" });
const field = (page: Page, name: string | RegExp) => form(page).getByRole("textbox", { name });

/** The visitor has asked for a person, and the form is open. */
async function openForm(page: Page): Promise<void> {
  await askAndWait(page, "Can I talk to a person?");
  await avatar(page).getByRole("button", { name: "Leave a message" }).click();
  await expect(field(page, "Your message")).toBeFocused();
}

async function fill(page: Page, text: string): Promise<void> {
  await field(page, "Your message").fill(text);
  await field(page, "Email").fill("ana@weiz.example");
  await form(page).getByRole("checkbox", { name: "You may answer me by e-mail." }).check();
}

const send = (page: Page) => form(page).getByRole("button", { name: "Send message" }).click();
const sent = (page: Page) => avatar(page).getByText("Alder Home has your message.");

/** How many messages of all avatars are new. Only the tests of this file leave messages. */
async function newMessages(): Promise<number> {
  const counts = await callApi(served.server, "/api/console/inbox-counts/");
  return ((await counts.json()) as { new: number }).new;
}

/** The number that the navigation shows beside the inbox. */
async function shownNumber(owner: Page): Promise<number> {
  const link = owner
    .getByRole("navigation")
    .getByRole("link", { name: /^Inbox/ })
    .first();
  return Number(/\d+/.exec(await link.innerText())?.[0] ?? 0);
}

test("nobody is there: a visitor leaves a message, and its owner answers it", async ({
  page: owner,
  browser,
}) => {
  await signIn(owner, served.server, inbox);
  const none = owner.getByRole("heading", { name: /^(?:Nobody has left a message|No messages here)$/ });
  await expect(none).toBeVisible();
  await expectAccessible(owner);
  const before = await newMessages();

  const visitor = await visit(browser);
  await openForm(visitor);
  await send(visitor);
  await expect(field(visitor, "Your message")).toBeFocused();
  await field(visitor, "Your message").fill("Can you deliver on a Saturday?\n<b>And</b> the bench?");
  await field(visitor, "Email").fill("ana@weiz");
  await field(visitor, "Name (optional)").fill("Ana");
  await send(visitor);
  const email = field(visitor, "Email");
  await expect(email).toBeFocused();
  await expect(email).toHaveAccessibleDescription("This doesn’t look right yet.");
  await expectAccessible(visitor);
  await email.fill("ana@weiz.example");
  await send(visitor);
  const consent = form(visitor).getByRole("checkbox", { name: "You may answer me by e-mail." });
  await expect(consent).toBeFocused();
  await consent.check();
  await send(visitor);
  await expect(sent(visitor)).toBeVisible();
  await expect(avatar(visitor).getByText("The answer goes to")).toContainText("ana@weiz.example");

  await owner.reload();
  await expect(owner.getByRole("heading", { name: /^\d+ messages? to answer$/ })).toBeVisible();
  await expect.poll(() => shownNumber(owner)).toBe(before + 1);
  await owner.getByRole("link", { name: /Ana/ }).click();
  const message = owner.getByRole("article");
  await expect(message.getByText("<b>And</b> the bench?")).toBeVisible();
  await expect(message.getByText("You may answer me by e-mail.")).toBeVisible();
  await expectAccessible(owner);
  const answer = message.getByRole("link", { name: "Answer by e-mail" });
  const href = (await answer.getAttribute("href")) ?? "";
  expect(href).toMatch(/^mailto:ana@weiz\.example\?subject=[^&]*&body=[^&]*$/);
  expect(new URL(href).searchParams.get("body")).toContain("> <b>And</b> the bench?");
  // A browser without a mail program would leave the page.
  await answer.evaluate((link) => link.setAttribute("href", "#/inbox"));
  await message.getByRole("button", { name: "Mark as answered" }).click();
  await expect(message.getByText(/Answered by /)).toBeVisible();
  await expect.poll(() => shownNumber(owner)).toBe(before);
  await owner.getByRole("button", { name: "Undo" }).click();
  await expect(message.getByRole("button", { name: "Mark as answered" })).toBeVisible();

  await message.getByRole("link", { name: "Read it" }).click();
  await owner.getByRole("link", { name: "The visitor left a message" }).click();
  await expect(message.getByText("<b>And</b> the bench?")).toBeVisible();
  await message.getByRole("button", { name: "Delete this message" }).click();
  await owner.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(none).toBeVisible();
  await visitor.context().close();
});

test("a message that is not sent stays, and is sent again once", async ({ page: owner, browser }) => {
  const visitor = await visit(browser);
  await openForm(visitor);
  await fill(visitor, "The first try fails.");
  // The service has it, and the answer is lost.
  let tries = 0;
  await visitor.route("**/message", async (route) => {
    tries += 1;
    if (tries > 1) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await send(visitor);
  await expect(form(visitor).getByRole("alert")).toHaveText("It wasn’t sent. What you wrote is still here.");
  await expect(field(visitor, "Your message")).toHaveValue("The first try fails.");
  await form(visitor).getByRole("button", { name: "Close" }).click();
  await avatar(visitor).getByRole("button", { name: "Leave a message" }).click();
  await expect(field(visitor, "Email")).toHaveValue("ana@weiz.example");
  await send(visitor);
  await expect(sent(visitor)).toBeVisible();
  await signIn(owner, served.server, inbox);
  await expect(owner.getByRole("link", { name: /The first try fails/ })).toHaveCount(1);
  await visitor.context().close();
});

test("a message can be left after the conversation's end", async ({ page: owner, browser }) => {
  const visitor = await visit(browser);
  await askAndWait(visitor, "How much is the Alder reading chair?");
  await endSession(visitor);
  await avatar(visitor).getByRole("button", { name: "Leave a message" }).click();
  await expect(field(visitor, "Your message")).toHaveValue("How much is the Alder reading chair?");
  await fill(visitor, "After the end.");
  await send(visitor);
  await expect(sent(visitor)).toBeVisible();
  await signIn(owner, served.server, inbox);
  await expect(owner.getByRole("link", { name: /After the end/ })).toBeVisible();
  await visitor.context().close();
});

test("form and inbox fit a narrow screen, also right to left", async ({ page: owner, browser }) => {
  const viewport = { width: 320, height: 640 };
  const visitor = await visit(browser, { viewport }, "/ar");
  await askAndWait(visitor, "هل يمكنني التحدث إلى شخص؟");
  await avatar(visitor).getByRole("button", { name: "اترك رسالة" }).click();
  const narrow = avatar(visitor).getByRole("form", { name: "اترك رسالة" });
  await narrow.getByRole("textbox", { name: "رسالتك" }).fill("متى تفتحون؟");
  await narrow.getByRole("button", { name: "إرسال الرسالة" }).click();
  await expect(narrow.getByText("ما زال هذا ناقصًا.").first()).toBeVisible();
  await expectNoSidewaysScrolling(visitor);
  await expectAccessible(visitor);
  await narrow.getByRole("textbox", { name: "البريد الإلكتروني" }).fill("ana@weiz.example");
  await narrow.getByRole("checkbox").check();
  await narrow.getByRole("button", { name: "إرسال الرسالة" }).click();
  await expect(avatar(visitor).getByText("وصلت رسالتك إلى")).toBeVisible();
  await visitor.context().close();

  await owner.setViewportSize({ width: 390, height: 844 });
  await signIn(owner, served.server, inbox);
  await owner.getByRole("link", { name: /متى تفتحون/ }).click();
  await expect(owner.getByRole("link", { name: "Answer by e-mail" })).toBeVisible();
  await expectNoSidewaysScrolling(owner);
  await owner.getByRole("article").getByRole("link", { name: "Inbox" }).click();
  await expect(owner.getByRole("link", { name: /متى تفتحون/ })).toBeVisible();
  await expectNoSidewaysScrolling(owner);
});
