/** A conversation whose panel is minimised: the avatar falls silent, and the launcher tells what happens. */
import { expect, test, type Page } from "./support/test.ts";
import { recordEvents, captionedWords } from "./support/page-records.ts";
import { useSite } from "./support/served-site.ts";
import { ask, openAvatar, transcript, untilActivity } from "./support/talk.ts";
import { avatar, launcher, type AvatarElement } from "./support/widget.ts";
import { says, startScriptedModel, type ScriptedModel } from "./support/scripted-model.ts";

const served = useSite();

let model: ScriptedModel;

test.beforeAll(async () => {
  model = await startScriptedModel(served);
});

test.afterAll(() => model.close());

const first = "The alpha chair is quite narrow and fits into small rooms.";
const second = "The beta chair stands beside the wall.";
const third = "The gamma chair is for the garden.";

const label = (page: Page) => avatar(page).locator(".vv-label");
const count = (page: Page) => avatar(page).locator(".vv-count");
const teaser = (page: Page) => avatar(page).locator("[part=launcher-teaser]");

declare global {
  interface Window {
    /** What the launcher's label has said while it could be read. */
    labels: Set<string>;
  }
}

/**
 * Asks, and in the moment in which the avatar says a word of the answer, however busy the machine is, minimises the panel, or interrupts the
 * avatar as soon as its answer is complete.
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
  await ask(page, "Which chairs do you have?");
  await expect.poll(() => captionedWords(page)).toContain(word);
}

test("minimised, the avatar finishes its sentence and is silent, the launcher shows the answer as unread; opened again, an interrupted answer can be finished", async ({
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
  await avatar(page).evaluate((element: AvatarElement) => element.close());
  await expect(launcher(page)).toBeVisible();
  await expect(count(page)).toBeHidden();
  expect(await captionedWords(page), "nothing is said afterwards").not.toContain("beta");
  await expect(launcher(page)).toHaveAccessibleName(/Back to Mara\s+AI assistant/);

  await launcher(page).click();
  await expect(avatar(page).getByRole("dialog")).toBeVisible();
  model.answer = says(`${first} `, second);
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
