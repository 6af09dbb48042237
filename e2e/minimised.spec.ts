/** A conversation whose panel is minimised: the avatar falls silent, and the launcher tells what happens. */
import { expect, test, type Page } from "./support/test.ts";
import { recordEvents, captionedWords } from "./support/page-records.ts";
import { useSite } from "./support/served-site.ts";
import { ask, openAvatar, transcript, untilActivity } from "./support/talk.ts";
import { avatar, launcher, untilState, type AvatarElement } from "./support/widget.ts";
import { says, startScriptedModel, type ScriptedModel } from "./support/scripted-model.ts";

const served = useSite();

let model: ScriptedModel;

test.beforeAll(async () => {
  model = await startScriptedModel(served);
});

test.afterAll(() => model.close());

// Long enough to be in its middle when a page that stood still for some seconds goes on.
const first =
  "The alpha chair is quite narrow, a little lighter than the others, easy to lift with one hand, and so it fits into the smallest of all our rooms.";
const second = "The beta chair is wider and needs a good deal more room beside the wall.";
const third = "The gamma chair is for the garden.";

const label = (page: Page) => avatar(page).locator(".vv-label");
const count = (page: Page) => avatar(page).locator(".vv-count");
const teaser = (page: Page) => avatar(page).locator("[part=launcher-teaser]");

async function minimise(page: Page): Promise<void> {
  await avatar(page).evaluate((element: AvatarElement) => {
    element.close();
  });
}

declare global {
  interface Window {
    /** What the launcher's label has said while it could be read. */
    labels: Set<string>;
  }
}

/** Asks, and waits until the avatar says a word of the answer. */
async function untilWord(page: Page, word: string): Promise<void> {
  await ask(page, "Which chairs do you have?");
  await expect.poll(() => captionedWords(page)).toContain(word);
}

/**
 * The same, and in the moment of that word, however busy the machine is, the panel is minimised, or the avatar interrupted as soon as its
 * answer is complete.
 */
async function atWord(page: Page, word: string, act: "close" | "interrupt"): Promise<void> {
  await avatar(page).evaluate(
    (element: AvatarElement, [wanted, method]) => {
      window.labels = new Set();
      const look = (): void => {
        const label = element.shadowRoot?.querySelector(".vv-label");
        if (label && getComputedStyle(label).opacity === "1") window.labels.add(label.textContent);
        requestAnimationFrame(look);
      };
      look();
      let isSaid = false;
      const handleWord = ({ detail }: DocumentEventMap["visavis-caption"]): void => {
        isSaid ||= detail.word === wanted;
        if (!isSaid || (method === "interrupt" && element.transcript.at(-1)?.status !== "final")) return;
        document.removeEventListener("visavis-caption", handleWord);
        queueMicrotask(() => element[method]());
      };
      document.addEventListener("visavis-caption", handleWord);
    },
    [word, act] as const,
  );
  await untilWord(page, word);
}

test("minimised, the avatar finishes its sentence and is silent; the launcher shows the answer as unread", async ({
  page,
}) => {
  model.answer = says(`${first} `, `${second} `, third);
  await recordEvents(page);
  await openAvatar(page, served.site.origin);
  await atWord(page, "alpha", "close");
  await untilActivity(page, "idle");
  expect((await page.evaluate(() => [...window.labels])).join("; ")).toMatch(/Back to Mara\s*Speaking/);
  const words = await captionedWords(page);
  expect(words).toContain("rooms.");
  expect(words).not.toContain("beta");
  expect((await transcript(page)).at(-1)).toBe(`avatar: ${first} ${second} ${third} (final)`);
  await expect(count(page)).toHaveText("1");
  await expect(launcher(page)).toHaveAccessibleName(/Back to Mara\s+New answers: 1/);
  await expect(label(page)).toHaveText(/Back to Mara\s*New answers: 1/);
  await expect(teaser(page)).toContainText(first);

  await teaser(page).getByRole("button", { name: "Close" }).click();
  await expect(teaser(page)).toHaveCount(0);
  await expect(launcher(page)).toBeFocused();
  await expect(count(page)).toHaveText("1");

  await launcher(page).click();
  await expect(avatar(page).getByRole("dialog")).toBeVisible();
  await minimise(page);
  await expect(launcher(page)).toBeVisible();
  await expect(count(page)).toBeHidden();
  expect(await captionedWords(page), "nothing is said afterwards").not.toContain("beta");
  await expect(launcher(page)).toHaveAccessibleName(/Back to Mara\s+AI assistant/);
});

test("an answer that was heard to its end is not unread", async ({ page }) => {
  model.answer = says(third);
  await recordEvents(page);
  await openAvatar(page, served.site.origin);
  await untilWord(page, "gamma");
  await minimise(page);
  await untilActivity(page, "idle");
  await expect(launcher(page)).toHaveAccessibleName(/Back to Mara\s+AI assistant/);
  await expect(count(page)).toBeHidden();
  await expect(teaser(page)).toHaveCount(0);
});

test("the teaser opens the conversation, and the next question is answered aloud again", async ({ page }) => {
  model.answer = says(`${first} `, second);
  await recordEvents(page);
  await openAvatar(page, served.site.origin);
  await atWord(page, "alpha", "close");
  await teaser(page).getByRole("button", { name: first }).click();
  await expect(avatar(page).getByRole("dialog")).toBeVisible();
  await untilState(page, "live");
  model.answer = says(third);
  await untilWord(page, "gamma");
});

test("the teaser can be put away, and the answer still counts as unread", async ({ page }) => {
  model.answer = says(`${first} `, second);
  await recordEvents(page);
  await openAvatar(page, served.site.origin);
  await atWord(page, "alpha", "close");
  await teaser(page).getByRole("button", { name: "Close" }).click();
  await expect(teaser(page)).toHaveCount(0);
  await expect(count(page)).toHaveText("1");
  await expect(avatar(page).getByRole("dialog")).toBeHidden();
});

test("an interrupted answer can be finished", async ({ page }) => {
  model.answer = says(`${first} `, second);
  await recordEvents(page);
  await openAvatar(page, served.site.origin);
  await atWord(page, "alpha", "interrupt");
  await expect.poll(async () => (await transcript(page)).at(-1)).toContain("(interrupted)");
  await avatar(page).getByRole("button", { name: "Write to Mara" }).click();
  // To be quiet is not to take away: all of it can be read, and what was not spoken is marked.
  await expect(avatar(page).getByRole("region", { name: "Transcript" })).toContainText(`${first} ${second}`);
  const unsaid = () =>
    page.evaluate(() => [...(CSS.highlights.get("visavis-unsaid") ?? [])].map(String).join(""));
  await expect.poll(unsaid).toMatch(/ rooms\. .*beside the wall\.$/);
  expect(await unsaid()).not.toContain("alpha");
  await avatar(page).getByRole("button", { name: "Let Mara finish" }).click();
  await expect.poll(unsaid).not.toContain("beside the wall");
  await expect.poll(() => captionedWords(page)).toContain("beta");
  await expect.poll(async () => (await transcript(page)).at(-1)).toBe(`avatar: ${first} ${second} (final)`);
  await expect(avatar(page).getByRole("button", { name: "Let Mara finish" })).toHaveCount(0);
});

test("minimised, the launcher says how long the conversation still lasts, in its label and to screen readers", async ({
  page,
}) => {
  model.answer = says(third);
  await openAvatar(page, served.site.origin);
  // The service tells the time left with each answer to a heartbeat; the page asks for one whenever it is shown again.
  await page.route("**/event", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), time_left_sec: 50 } });
  });
  await minimise(page);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  const note = /Back to Mara\s+(?:.* · )?50 seconds left in this conversation\./;
  await expect(launcher(page)).toHaveAccessibleName(note);
  await expect(label(page)).toHaveText(/50 seconds left in this conversation\./);
  await expect(label(page)).toHaveCSS("opacity", "1");
  await expect(avatar(page).getByRole("status").filter({ hasText: "50 seconds left" })).toBeAttached();
});
