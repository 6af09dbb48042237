/** Nobody is there: a visitor leaves a message in one browser, and its owner reads and answers it in another. */
import { violations } from "../support/axe.ts";
import { expect, test, type Browser, type Page } from "../support/test.ts";
import { exclude, expectNoSidewaysScrolling, signIn, tags } from "../console/console-fixture.ts";
import { hostPage } from "../support/host-page.ts";
import { useSite } from "../support/served-site.ts";
import { readContext } from "../support/service-api.ts";
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

const send = (page: Page) => form(page).getByRole("button", { name: "Send message" }).click();
const sent = (page: Page) => avatar(page).getByText("Alder Home has your message.");

test("nobody is there: a visitor leaves a message, and its owner answers it", async ({
  page: owner,
  browser,
}) => {
  const visitor = await visit(browser);
  await askAndWait(visitor, "Can I talk to a person?");
  await avatar(visitor).getByRole("button", { name: "Leave a message" }).click();
  await expect(field(visitor, "Your message")).toBeFocused();
  await send(visitor);
  await expect(field(visitor, "Your message")).toBeFocused();
  await field(visitor, "Your message").fill("Can you deliver on a Saturday?\n<b>And</b> the bench?");
  await field(visitor, "Email").fill("ana@weiz");
  await field(visitor, "Name (optional)").fill("Ana");
  await send(visitor);
  const email = field(visitor, "Email");
  await expect(email).toBeFocused();
  await expect(email).toHaveAccessibleDescription("This doesn’t look right yet.");
  expect(await violations(visitor, { exclude, tags })).toEqual([]);
  await email.fill("ana@weiz.example");
  await send(visitor);
  const consent = form(visitor).getByRole("checkbox", { name: "You may answer me by e-mail." });
  await expect(consent).toBeFocused();
  await consent.check();
  // The service has it, and the answer is lost: it is sent again, and there once.
  await visitor.route(
    "**/message",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await send(visitor);
  await expect(form(visitor).getByRole("alert")).toHaveText("It wasn’t sent. What you wrote is still here.");
  await form(visitor).getByRole("button", { name: "Close" }).click();
  await avatar(visitor).getByRole("button", { name: "Leave a message" }).click();
  await expect(email).toHaveValue("ana@weiz.example");
  await send(visitor);
  await expect(sent(visitor)).toBeVisible();
  await expect(avatar(visitor).getByText("The answer goes to")).toContainText("ana@weiz.example");
  await visitor.context().close();

  await signIn(owner, served.server, inbox);
  await owner.getByRole("link", { name: /Ana/ }).click();
  const message = owner.getByRole("article");
  await expect(message.getByText("<b>And</b> the bench?")).toBeVisible();
  await expect(message.getByRole("link", { name: "Answer by e-mail" })).toHaveAttribute(
    "href",
    /^mailto:ana@weiz\.example\?/,
  );
  await message.getByRole("button", { name: "Mark as answered" }).click();
  await expect(message.getByText(/Answered by /)).toBeVisible();
});

test("after the conversation's end a message can be left, on a narrow screen and right to left", async ({
  page: owner,
  browser,
}) => {
  const visitor = await visit(browser, { viewport: { width: 320, height: 640 } }, "/ar");
  await askAndWait(visitor, "متى تفتحون؟");
  await endSession(visitor);
  await avatar(visitor).getByRole("button", { name: "اترك رسالة" }).click();
  const narrow = avatar(visitor).getByRole("form", { name: "اترك رسالة" });
  await expect(narrow.getByRole("textbox", { name: "رسالتك" })).toHaveValue("متى تفتحون؟");
  await narrow.getByRole("button", { name: "إرسال الرسالة" }).click();
  await expect(narrow.getByText("ما زال هذا ناقصًا.").first()).toBeVisible();
  await expectNoSidewaysScrolling(visitor);
  expect(await violations(visitor, { exclude, tags })).toEqual([]);
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
});
