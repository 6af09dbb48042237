import { expect, test } from "../support/test.ts";
import { hostPage } from "../support/host-page.ts";
import { useSite } from "../support/served-site.ts";
import { callApi, changeContext } from "../support/service-api.ts";
import { askAndWait } from "../support/talk.ts";
import { avatar, clickLauncher, endSession, sessionId, snippet, untilState } from "../support/widget.ts";

declare global {
  interface Window {
    seenRatings: unknown[];
  }
}

const served = useSite({
  // The owner keeps no transcripts.
  change: ({ embed_config }) => (embed_config["retention_days"] = 0),
  pages: (relay, context) => ({ "/": hostPage(snippet(relay, context, 'data-mode="text"')) }),
});

test("an answer and a conversation can be rated, as events of the session and of the page, unless the owner turns ratings off", async ({
  page,
  browser,
}) => {
  await page.addInitScript(() => {
    window.seenRatings = [];
    document.addEventListener("visavis-rating", ({ detail }) => window.seenRatings.push(detail));
  });
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  const session = await sessionId(page);
  await askAndWait(page, "How much is the Alder reading chair?");
  await avatar(page).getByRole("button", { name: "This didn’t help" }).last().click();
  await avatar(page).getByRole("textbox", { name: "What was wrong?" }).fill("The price is missing");
  await avatar(page).locator(".vv-reason").getByRole("button", { name: "Send" }).click();
  await expect(avatar(page).getByText("Your rating was sent.")).toBeVisible();
  await endSession(page);
  await avatar(page).getByRole("button", { name: "Yes" }).click();
  await expect(avatar(page).getByRole("button", { name: "Yes" })).toHaveAttribute("aria-pressed", "true");

  const answerRating = { of: "answer", value: "down", message: expect.any(String) };
  const ratings = [
    answerRating,
    { ...answerRating, why: "The price is missing" },
    { of: "conversation", value: "up" },
  ];
  await expect.poll(() => page.evaluate(() => window.seenRatings)).toEqual(ratings);
  const stored = async (): Promise<unknown[]> => {
    const answer = await callApi(served.server, `/api/v1/session/${session}/event/`);
    return ((await answer.json()) as { event: string; detail: string | null }[])
      .filter(({ event, detail }) => event === "SESSION_LOG" && detail?.includes("rating"))
      .map(({ detail }) => (JSON.parse(detail ?? "") as { rating: unknown }).rating);
  };
  // What the visitor wrote is stored only where the owner keeps transcripts.
  await expect.poll(stored).toEqual([answerRating, answerRating, { of: "conversation", value: "up" }]);

  await changeContext(served, (context) => {
    context.embed_config["ui"] = { ...(context.embed_config["ui"] as object), feedback: false };
  });
  const other = await browser.newPage();
  await other.goto(served.site.origin);
  await clickLauncher(other);
  await untilState(other, "live");
  await askAndWait(other, "How much is the Alder reading chair?");
  await expect(avatar(other).getByRole("button", { name: "Copy this answer" }).last()).toBeVisible();
  await expect(avatar(other).getByRole("button", { name: "This helped" })).toHaveCount(0);
  await other.close();
});
