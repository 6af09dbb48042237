import { expect, test } from "../support/test.ts";
import { useSite } from "../support/served-site.ts";
import { callApi } from "../support/service-api.ts";
import { askAndWait } from "../support/talk.ts";
import { avatar, clickLauncher, endSession, sessionId, untilState } from "../support/widget.ts";

declare global {
  interface Window {
    seenRatings: unknown[];
    dataLayer: { event: string }[];
  }
}

const served = useSite({
  // The owner keeps no transcripts.
  change: ({ embed_config }) => {
    embed_config["retention_days"] = 0;
    embed_config["analytics"] = { data_layer: true };
  },
  attributes: 'data-mode="text"',
});

test("an answer and a conversation can be rated, as events of the session, of the page and of its data layer, which gets no text", async ({
  page,
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

  const events = () => page.evaluate(() => window.dataLayer.map(({ event }) => event));
  await expect
    .poll(events)
    .toEqual(
      expect.arrayContaining(
        ["open", "start", "question", "answer", "rating", "end"].map((name) => `visavis_${name}`),
      ),
    );
  expect((await events()).filter((event) => event === "visavis_question")).toHaveLength(1);
  expect(JSON.stringify(await page.evaluate(() => window.dataLayer))).not.toMatch(/alder|chair|480|missing/i);
});
