/** A person behind the avatar: an operator in one browser, a visitor in another. */
import { expect, test, type Browser, type Page } from "../support/test.ts";
import { expectAccessible, expectNoSidewaysScrolling, password, signIn } from "../console/console-fixture.ts";
import { hostPage } from "../support/host-page.ts";
import { useSite } from "../support/served-site.ts";
import { ask, askAndWait, untilShown } from "../support/talk.ts";
import { avatar, clickLauncher, endSession, sessionId, snippet, untilState } from "../support/widget.ts";

declare global {
  interface Window {
    seenPeople: unknown[];
    alerted: string[];
  }
}

const quickAnswers = [
  "Saturday works within 40 km. Is it about “{page}”, {name}?",
  "We take one old piece with us for each new one.",
];

/** An own server: visitors of all avatars are told that somebody is there. */
const served = useSite({
  change: ({ embed_config }) => {
    embed_config["quick_answers"] = quickAnswers;
  },
  env: { VISAVIS_PASSWORD: password, VISAVIS_LOGINS_PER_MINUTE: "600" },
  pages: (relay, context) => ({
    "/": hostPage(snippet(relay, context, 'data-mode="text"')),
    "/ar": hostPage(snippet(relay, context, 'data-mode="text" data-lang="ar"')),
  }),
});

/** The visitor's page, with the conversation open. */
async function visit(browser: Browser, path = "/"): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.addInitScript(() => {
    window.seenPeople = [];
    document.addEventListener("visavis-person", ({ detail }) => window.seenPeople.push(detail));
  });
  await page.goto(served.site.origin + path);
  await clickLauncher(page);
  await untilState(page, "live");
  return page;
}

/** The visitor ends the conversation and leaves: the next test's operator has no talk left of this one. */
async function leave(visitor: Page): Promise<void> {
  await endSession(visitor);
  await visitor.context().close();
}

/** The operator's console, where somebody is there as Lena. */
async function beHere(page: Page): Promise<void> {
  await signIn(page, served.server, "/live");
  await page.getByRole("button", { name: /not here|I am here/ }).click();
  await page.getByLabel("Visitors read").fill("Lena");
  await page.getByRole("dialog").getByRole("button", { name: "I am here", exact: true }).click();
  await expect(page.getByRole("button", { name: /I am here until/ })).toBeVisible();
}

const offer = (page: Page) => avatar(page).getByRole("group", { name: "A person can join" });

/** What the visitor sees while waiting. */
const strip = (page: Page) => avatar(page).locator(".vv-strip").filter({ hasText: "You are next" });

/** The conversation of a visitor in the operator's list, opened. */
async function openTalk(operator: Page, visitor: Page): Promise<void> {
  const link = operator.locator(`[data-session="${await sessionId(visitor)}"]`);
  await link.click();
  await expect(operator.getByRole("log", { name: "Conversation" })).toBeVisible();
}

/** The visitor has asked for a person, and waits. */
async function askForPerson(visitor: Page): Promise<void> {
  // The page learns of people with its next heartbeat.
  await expect(async () => {
    expect(
      await avatar(visitor).evaluate((element: HTMLElementTagNameMap["visavis-avatar"]) =>
        element.askForPerson(),
      ),
    ).toBe(true);
  }).toPass();
}

test("nobody there: nothing is offered, and asking says so", async ({ browser }) => {
  const visitor = await visit(browser);
  await askAndWait(visitor, "Can I talk to a person?");
  await expect(offer(visitor)).toHaveCount(0);
  expect(
    await avatar(visitor).evaluate((element: HTMLElementTagNameMap["visavis-avatar"]) =>
      element.askForPerson(),
    ),
  ).toBe(false);
  await leave(visitor);
});

test("a person is offered, waited for, joins, writes, and hands back", async ({
  page: operator,
  browser,
}) => {
  await beHere(operator);
  const visitor = await visit(browser);
  await askAndWait(visitor, "Can I talk to a person?");
  await expect(offer(visitor)).toBeVisible();
  await expect(offer(visitor)).toContainText("Lena");
  await offer(visitor).getByRole("button", { name: "Ask for a person" }).click();
  await expect(strip(visitor)).toBeVisible();
  await expect(operator.getByRole("heading", { name: "One needs you" })).toBeVisible();
  await expect(operator).toHaveTitle(/^\(1\) /);

  await openTalk(operator, visitor);
  await expect(operator.getByText("The visitor asked for a person")).toBeVisible();
  await operator.getByRole("button", { name: "Take over" }).click();
  await expect(avatar(visitor).getByText(/^Person, /)).toBeVisible();
  await expect(
    avatar(visitor).getByRole("status").filter({ hasText: "Lena, a person, has joined" }),
  ).toHaveCount(1);
  const field = operator.getByRole("textbox", { name: "Write to the visitor" });
  await expect(field).toBeFocused();
  // It is shown for a few seconds.
  const writing = untilShown(visitor, "Lena is writing");
  await field.pressSequentially("Hello");
  await writing;
  await field.press("Enter");
  await expect(avatar(visitor).locator(".vv-p")).toHaveText("Hello");

  await avatar(visitor).getByRole("textbox", { name: "Write to Lena" }).fill("Saturday?");
  await visitor.keyboard.press("Enter");
  await expect(operator.getByRole("log", { name: "Conversation" })).toContainText("Saturday?");
  await expect(avatar(visitor).locator("[role=alert]")).toHaveCount(0);

  await operator.getByRole("button", { name: "Hand back" }).click();
  await operator.getByLabel("What the AI should know of it").fill("Wants Saturday.");
  await operator.getByRole("dialog").getByRole("button", { name: "Hand back" }).click();
  await expect(avatar(visitor).getByText(/Lena left, .* goes on/)).toBeVisible();
  await expect(operator.getByText("Lena summed up")).toBeVisible();
  await askAndWait(visitor, "How much is the Alder reading chair?");
  await expect(operator.getByRole("log", { name: "Conversation" })).toContainText("480");
  expect(await visitor.evaluate(() => window.seenPeople)).toEqual([
    { state: "waiting", name: "" },
    { state: "joined", name: "Lena" },
    { state: "left", name: "Lena" },
  ]);
  await leave(visitor);
});

test("a quick answer is found by a word, comes into the field, and is sent when the person wants it", async ({
  page: operator,
  browser,
}) => {
  await beHere(operator);
  const visitor = await visit(browser);
  await openTalk(operator, visitor);
  await operator.getByRole("button", { name: "Take over" }).click();
  const field = operator.getByRole("textbox", { name: "Write to the visitor" });
  await expect(field).toBeFocused();
  await operator.getByRole("button", { name: "Quick answers" }).click();
  await expect(field).toBeFocused();
  const list = operator.getByRole("listbox", { name: "Quick answers" });
  // The visitor's page tells what it is once it has heard of people.
  await expect(operator.getByRole("heading", { name: "Visitor on Host" })).toBeVisible();
  await expect(list.getByRole("option")).toHaveText([quickAnswers[0]!, quickAnswers[1]!]);
  await expectAccessible(operator);
  await field.press("ArrowDown");
  await expect(list.getByRole("option", { selected: true })).toHaveText(quickAnswers[1]!);
  await field.press("Escape");
  await expect(list).toHaveCount(0);
  await field.pressSequentially("/saturday");
  await expect(list.getByRole("option")).toHaveCount(1);
  await field.press("Enter");
  const text = "Saturday works within 40 km. Is it about “Host”, {name}?";
  await expect(field).toHaveValue(text);
  await expect(avatar(visitor).locator(".vv-p")).toHaveCount(0);
  await field.press("Enter");
  await expect(avatar(visitor).locator(".vv-p")).toHaveText(text);
  await leave(visitor);
});

test("the visitor stops waiting, and does not want a person now", async ({ page: operator, browser }) => {
  await beHere(operator);
  const visitor = await visit(browser);
  await askForPerson(visitor);
  await avatar(visitor).getByRole("button", { name: "Stop waiting" }).click();
  await expect(strip(visitor)).toHaveCount(0);
  await askAndWait(visitor, "Can I talk to a person?");
  await offer(visitor).getByRole("button", { name: "Not now" }).click();
  await expect(offer(visitor)).toHaveCount(0);
  await leave(visitor);
});

test("whispered words are said by the avatar exactly, and the visitor does not see by whom", async ({
  page: operator,
  browser,
}) => {
  await beHere(operator);
  const visitor = await visit(browser);
  await ask(visitor, "How much is the Alder reading chair?");
  await askForPerson(visitor);
  await openTalk(operator, visitor);
  const field = operator.getByRole("textbox", { name: /^Whisper to / });
  await field.fill("It is on sale today.");
  await expect(operator.getByText(/says exactly this/)).toBeVisible();
  await field.press("Enter");
  await expect(avatar(visitor).locator(".vv-a").filter({ hasText: "It is on sale today." })).toBeVisible();
  await expect(avatar(visitor).locator(".vv-by")).toHaveCount(0);
  await leave(visitor);
});

test("a person whose line is lost is told of, and the avatar goes on", async ({
  page: operator,
  browser,
}) => {
  await beHere(operator);
  const visitor = await visit(browser);
  await askForPerson(visitor);
  await openTalk(operator, visitor);
  await operator.getByRole("button", { name: "Take over" }).click();
  await expect(avatar(visitor).getByText(/^Person, /)).toBeVisible();
  // It is shown until the person counts as gone.
  const strip = avatar(visitor).locator(".vv-strip").filter({ hasText: "Lena’s line dropped" });
  const dropped = expect(strip).toBeVisible();
  await operator.context().setOffline(true);
  await operator.goto("about:blank");
  await dropped;
  await expect(avatar(visitor).getByText(/Lena left, .* goes on/)).toBeVisible();
  await leave(visitor);
});

test("the console listens again after the server has refused it for a while", async ({ page: operator }) => {
  await signIn(operator, served.server, "/live");
  await expect(operator.getByRole("button", { name: /not here|I am here/ })).toBeVisible();
  await operator.route("**/api/console/live/stream/**", (route) => route.fulfill({ status: 503 }));
  await operator.reload();
  await expect(operator.getByText(/The server doesn’t answer/)).toBeVisible();
  await operator.unroute("**/api/console/live/stream/**");
  await expect(operator.getByText(/The server doesn’t answer/)).toHaveCount(0);
  await expect(operator.getByRole("button", { name: /not here|I am here/ })).toBeVisible();
});

test("a tone and a notification tell an operator who looks elsewhere", async ({
  page: operator,
  browser,
}) => {
  await operator.addInitScript(() => {
    window.alerted = [];
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
      window.alerted.push("tone");
      start.apply(this, when);
    };
  });
  await beHere(operator);
  const presence = operator.getByRole("button", { name: /I am here/ }).first();
  await presence.click();
  const sound = operator.getByRole("checkbox", { name: "A soft tone" });
  const notice = operator.getByRole("checkbox", { name: /A notification of this device/ });
  await sound.check();
  // The tone is heard when it is chosen.
  const alerts = () => operator.evaluate(() => window.alerted);
  await expect.poll(alerts).toEqual(["tone"]);

  // A browser without a window has no notifications, and refuses them.
  await notice.click();
  await expect(operator.getByText("This browser shows no notifications of this page.")).toBeVisible();
  await expect(notice).not.toBeChecked();
  await operator.evaluate(() => {
    class Shown extends EventTarget {
      static permission = "granted";
      static requestPermission = () => Promise.resolve("granted");
      constructor(title: string) {
        super();
        window.alerted.push(title);
      }
    }
    Object.assign(window, { Notification: Shown });
    Object.defineProperty(document, "visibilityState", { value: "hidden" });
  });
  await notice.click();
  await expect(notice).toBeChecked();
  await operator.getByRole("dialog").getByRole("button", { name: "I am here", exact: true }).click();

  const visitor = await visit(browser);
  await askForPerson(visitor);
  await expect.poll(alerts).toEqual(["tone", "tone", "One needs you"]);

  await presence.click();
  await expect(sound).toBeChecked();
  await sound.uncheck();
  await operator.reload();
  await presence.click();
  await expect(sound).not.toBeChecked();
  await expectAccessible(operator);
  await leave(visitor);
});

test("whose login has ended is asked to sign in again, and listens on", async ({ page: operator }) => {
  await signIn(operator, served.server, "/live");
  const presence = operator.getByRole("button", { name: /not here|I am here/ });
  await expect(presence).toBeVisible();
  await operator.context().clearCookies();
  // The first request that is refused brings the dialog, which covers the links.
  await operator.evaluate(() => void (location.hash = "#/"));
  await operator.evaluate(() => void (location.hash = "#/live"));
  await operator.getByLabel("Password", { exact: true }).fill(password);
  await operator.keyboard.press("Enter");
  await expect(operator.getByRole("dialog")).toHaveCount(0);
  await expect(presence).toBeVisible();
});

test("the page is accessible, also on a phone", async ({ page: operator, browser }) => {
  await beHere(operator);
  const visitor = await visit(browser);
  await askAndWait(visitor, "How much is the Alder reading chair?");
  await askForPerson(visitor);
  await expectAccessible(operator);
  await openTalk(operator, visitor);
  await expectAccessible(operator);
  await operator.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScrolling(operator);
  await expect(operator.getByRole("link", { name: "Back to the list" })).toBeVisible();
  await leave(visitor);
});
