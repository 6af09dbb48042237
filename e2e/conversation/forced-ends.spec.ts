/** An end that is not the visitor's own is announced where its time is known, and says why. */
import { expect, test, type Page } from "../support/test.ts";
import * as z from "zod";
import type { dayLimitReason, EventTerminateReason } from "../../src/protocol/session/session-event.ts";
import { hostPage } from "../support/host-page.ts";
import { untilModule } from "../support/page-modules.ts";
import { useSite } from "../support/served-site.ts";
import { panelText } from "../support/talk.ts";
import { avatar, clickLauncher, snippet, tryAgainButton, untilState } from "../support/widget.ts";

const served = useSite({
  pages: (relayOrigin, context) => ({ "/": hostPage(snippet(relayOrigin, context, 'data-mode="text"')) }),
});

/** Adds fields to the service's answers to reports. */
async function addToAnswers(page: Page, fields: () => Promise<object> | object): Promise<void> {
  await page.route(/\/sessions\/[^/]+\/event$/, async (route) => {
    const response = await route.fetch();
    const answer = z.looseObject({}).parse(await response.json());
    await route.fulfill({ response, json: { ...answer, ...(await fields()) } });
  });
}

const toldToScreenReaders = (page: Page) => avatar(page).locator(".vv-sr[role=status]");
const startAgain = (page: Page) => avatar(page).getByRole("button", { name: "Start again" });

/** Ends after which a new session may be tried at once. */
type Lost = "SESSION_EVENT_SESSION_LOST_AFTER_CONNECTION" | "SESSION_EVENT_MISC_ERROR";
type ForcedEnd = Exclude<EventTerminateReason | typeof dayLimitReason, Lost>;

/** What the visitor reads, and whether a new conversation can be begun. */
const ends: Readonly<Record<ForcedEnd, { text: string; again: boolean }>> = {
  SESSION_EVENT_GRACEFUL_TERMINATION: { text: "has ended the conversation.", again: true },
  SESSION_EVENT_SESSION_EXPIRED_BEFORE_CONNECTION: { text: "It took too long to connect.", again: true },
  SESSION_EVENT_MAX_ACTIVE_SESSION_QUOTA_EXCEEDED: {
    text: "Mara is talking with as many people as possible right now.",
    again: true,
  },
  SESSION_EVENT_MAX_MIN_PER_SESSION_QUOTA_EXCEEDED: {
    text: "The time for one conversation is used up.",
    again: true,
  },
  SESSION_EVENT_TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED: {
    text: "There can be no more conversations for now.",
    again: false,
  },
  SESSION_EVENT_INSUFFICIENT_CREDITS: { text: "There can be no more conversations for now.", again: false },
  SESSION_EVENT_DAY_LIMIT_REACHED: { text: "Today’s time for conversations is used up.", again: false },
};

for (const [reason, { text, again }] of Object.entries(ends))
  test(`the service ends the conversation: ${reason}`, async ({ page }) => {
    await addToAnswers(page, () => ({ terminate: true, terminate_reason: reason }));
    await page.goto(served.site.origin);
    await clickLauncher(page);
    await untilState(page, "ended");
    const ended = avatar(page).locator("[part=page]");
    await expect(ended).toContainText("The conversation has ended");
    await expect(ended).toContainText(text);
    await expect(toldToScreenReaders(page)).toContainText(text);
    await expect(startAgain(page)).toHaveCount(again ? 1 : 0);
  });

/** How many sessions are tried before the visitor is asked: after a loss, one more begins by itself. */
const tried: Readonly<Record<Lost, number>> = {
  SESSION_EVENT_SESSION_LOST_AFTER_CONNECTION: 2,
  SESSION_EVENT_MISC_ERROR: 1,
};

for (const [reason, sessions] of Object.entries(tried))
  test(`the service has lost the session, and the visitor may try again: ${reason}`, async ({ page }) => {
    let ended = 0;
    await addToAnswers(page, () => {
      ended += 1;
      return { terminate: true, terminate_reason: reason };
    });
    await page.goto(served.site.origin);
    await clickLauncher(page);
    await expect.poll(() => ended).toBe(sessions);
    const alert = avatar(page).getByRole("alert");
    await expect(alert).toContainText("The conversation was lost and couldn’t be picked up again.");
    await expect(tryAgainButton(page)).toBeVisible();
    await page.unrouteAll();
    await tryAgainButton(page).click();
    await untilState(page, "live");
  });

test("the time that is left is told, and at the end why", async ({ page }) => {
  let fields = {};
  await addToAnswers(page, () => fields);
  const cared = untilModule(page, "session-care");
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  await cared;
  /** The page reports whenever it is shown again. */
  const answerNext = async (next: object): Promise<void> => {
    fields = next;
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  };
  const notice = avatar(page).locator(".vv-time-left");
  await expect(notice).toBeHidden();
  await answerNext({ time_left_sec: 14 });
  await expect(notice).toHaveText(/^\d+ seconds left in this conversation\.$/);
  await expect(toldToScreenReaders(page)).toContainText("seconds left in this conversation.");
  await answerNext({
    terminate: true,
    terminate_reason: "SESSION_EVENT_MAX_MIN_PER_SESSION_QUOTA_EXCEEDED",
    time_left_sec: 0,
  });
  await untilState(page, "ended");
  await expect(notice).toBeHidden();
  await expect.poll(() => panelText(page)).toContain("The time for one conversation is used up.");
  await expect(startAgain(page)).toBeVisible();
});
