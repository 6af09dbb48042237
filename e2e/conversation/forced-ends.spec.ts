/** An end that is not the visitor's own is announced where its time is known, and says why. */
import { expect, test, type Page } from "../support/test.ts";
import * as z from "zod";
import type { dayLimitReason, EventTerminateReason } from "../../src/protocol/session/session-event.ts";
import { hostPage } from "../support/host-page.ts";
import { stopClock } from "../support/slow-machine.ts";
import { useSite } from "../support/served-site.ts";
import { panelText } from "../support/talk.ts";
import { avatar, clickLauncher, snippet, stateOf, tryAgainButton, untilState } from "../support/widget.ts";

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

test("the time that is left is told at 60 s for a while, and at 15 s until the end, which says why", async ({
  page,
}) => {
  await page.clock.install();
  // By the page's clock, which this test moves.
  const nowMs = (): Promise<number> => page.evaluate(() => performance.now());
  let endsAtMs = Infinity;
  await addToAnswers(page, async () => {
    const leftSec = (endsAtMs - (await nowMs())) / 1_000;
    if (leftSec === Infinity) return {};
    if (leftSec > 0) return { time_left_sec: leftSec };
    return {
      terminate: true,
      terminate_reason: "SESSION_EVENT_MAX_MIN_PER_SESSION_QUOTA_EXCEEDED",
      time_left_sec: 0,
    };
  });
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  const notice = avatar(page).locator(".vv-time-left");
  const until = async (leftSec: number): Promise<void> =>
    page.clock.fastForward(Math.max(0, endsAtMs - (await nowMs()) - leftSec * 1_000));
  const attempt = { timeout: 15_000 };
  // An answer that was on its way when the clock stood still brings nothing, and the client asks again only later.
  const movingOn = (check: () => Promise<void>): Promise<void> =>
    expect(async () => {
      await page.clock.fastForward(2_000);
      await check();
    }).toPass();
  // A notice is shown for ten seconds of the page's clock, which a busy machine may take to look at it.
  await stopClock(page);
  endsAtMs = (await nowMs()) + 150_000;
  await expect(notice).toBeHidden();
  await until(58);
  await movingOn(() => expect(notice).toHaveText(/^[45]\d seconds left in this conversation\.$/, attempt));
  await expect(toldToScreenReaders(page)).toContainText("seconds left in this conversation.");
  await until(30);
  await expect(notice).toBeHidden();
  await until(14);
  await expect(notice).toHaveText(/^1\d seconds left in this conversation\.$/);
  await until(4);
  await expect(notice).toBeVisible();
  await until(-2);
  await movingOn(() => expect.poll(() => stateOf(page), attempt).toBe("ended"));
  await expect.poll(() => panelText(page)).toContain("The time for one conversation is used up.");
  await expect(startAgain(page)).toBeVisible();
});
