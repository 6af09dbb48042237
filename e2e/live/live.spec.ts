/** A person behind the avatar: an operator in one browser, a visitor in another. */
import { expect, test, type Browser, type Page } from "../support/test.ts";
import { password, signIn } from "../console/console-fixture.ts";
import { useSite } from "../support/served-site.ts";
import { askAndWait, untilShown } from "../support/talk.ts";
import {
  avatar,
  clickLauncher,
  endSession,
  sessionId,
  untilState,
  type AvatarElement,
} from "../support/widget.ts";

declare global {
  interface Window {
    seenPeople: unknown[];
  }
}

/** An own server: visitors of all avatars are told that somebody is there. */
const served = useSite({
  env: { VISAVIS_PASSWORD: password, VISAVIS_LOGINS_PER_MINUTE: "600" },
  attributes: 'data-mode="text"',
});

/** The visitor's page, with the conversation open. */
async function visit(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.addInitScript(() => {
    window.seenPeople = [];
    document.addEventListener("visavis-person", ({ detail }) => window.seenPeople.push(detail));
  });
  await page.goto(served.site.origin);
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

/** Whether the visitor's page could ask for a person. */
const asks = (visitor: Page): Promise<boolean> =>
  avatar(visitor).evaluate((element: AvatarElement) => element.askForPerson());

test("a person is offered, waited for, joins, writes, and hands back", async ({
  page: operator,
  browser,
}) => {
  const visitor = await visit(browser);
  await test.step("nobody there: nothing is offered, and asking says so", async () => {
    await askAndWait(visitor, "Can I talk to a person?");
    await expect(offer(visitor)).toHaveCount(0);
    expect(await asks(visitor)).toBe(false);
    await leave(visitor);
  });

  await beHere(operator);
  const next = await visit(browser);
  await test.step("the visitor does not want a person now, then stops waiting for one", async () => {
    await askAndWait(next, "Can I talk to a person?");
    await expect(offer(next)).toContainText("Lena");
    await offer(next).getByRole("button", { name: "Not now" }).click();
    await expect(offer(next)).toHaveCount(0);
    expect(await asks(next)).toBe(true);
    await avatar(next).getByRole("button", { name: "Stop waiting" }).click();
    await expect(strip(next)).toHaveCount(0);
  });

  await test.step("the avatar says what is whispered exactly, and not by whom", async () => {
    await openTalk(operator, next);
    await operator.getByRole("textbox", { name: /^Whisper to / }).fill("It is on sale today.");
    await operator.keyboard.press("Enter");
    await expect(avatar(next).locator(".vv-a").filter({ hasText: "It is on sale today." })).toBeVisible();
    await expect(avatar(next).locator(".vv-by")).toHaveCount(0);
  });

  await test.step("the visitor asks, and is answered by a person", async () => {
    await askAndWait(next, "Can I talk to a person?");
    await offer(next).getByRole("button", { name: "Ask for a person" }).click();
    await expect(strip(next)).toBeVisible();
    await expect(operator).toHaveTitle(/^\(1\) /);
    await operator.getByRole("button", { name: "Take over" }).click();
    await expect(avatar(next).getByText(/^Person, /)).toBeVisible();
    await expect(
      avatar(next).getByRole("status").filter({ hasText: "Lena, a person, has joined" }),
    ).toHaveCount(1);
    const field = operator.getByRole("textbox", { name: "Write to the visitor" });
    await expect(field).toBeFocused();
    // It is shown for a few seconds.
    const writing = untilShown(next, "Lena is writing");
    await field.pressSequentially("Hello");
    await writing;
    await field.press("Enter");
    await expect(avatar(next).locator(".vv-p")).toHaveText("Hello");
    await avatar(next).getByRole("textbox", { name: "Write to Lena" }).fill("Saturday?");
    await next.keyboard.press("Enter");
    await expect(operator.getByRole("log", { name: "Conversation" })).toContainText("Saturday?");
    await expect(avatar(next).locator("[role=alert]")).toHaveCount(0);
  });

  await test.step("the person hands back, and the avatar goes on", async () => {
    await operator.getByRole("button", { name: "Hand back" }).click();
    await operator.getByLabel("What the AI should know of it").fill("Wants Saturday.");
    await operator.getByRole("dialog").getByRole("button", { name: "Hand back" }).click();
    await expect(avatar(next).getByText(/Lena left, .* goes on/)).toBeVisible();
    await expect(operator.getByText("Lena summed up")).toBeVisible();
    await askAndWait(next, "How much is the Alder reading chair?");
    await expect(operator.getByRole("log", { name: "Conversation" })).toContainText("480");
  });
  expect(await next.evaluate(() => window.seenPeople)).toEqual([
    { state: "waiting", name: "" },
    { state: "waiting", name: "" },
    { state: "joined", name: "Lena" },
    { state: "left", name: "Lena" },
  ]);
  await leave(next);
});
