import { expect, test, type Page } from "../../support/test.ts";
import { useSite } from "../../support/served-site.ts";
import { ask, openAvatar, untilSpoken } from "../../support/talk.ts";
import { avatar, type AvatarElement } from "../../support/widget.ts";
import { says, startScriptedModel, type ScriptedModel } from "../../support/scripted-model.ts";

const served = useSite();
let model: ScriptedModel;

test.beforeAll(async () => {
  model = await startScriptedModel(served);
});

test.afterAll(() => model.close());

// An answer is spoken as slowly as it is spoken.

const sentences = (count: number): string =>
  Array.from({ length: count }, (_, index) => `Sentence number ${index + 1} is **here**.`).join(" ");

const log = (page: Page) => avatar(page).getByRole("region", { name: "Transcript" });

/** A moment while the avatar speaks. */
interface Moment {
  /**
   * Number of the sentence being spoken, of the one that is spoken when what is shown of it is looked at, of the last one that is shown, and
   * of the one that is marked.
   */
  spoken: number;
  now: number;
  shown: number;
  marked: number;
  /** Whether the marked sentence is in view. */
  inView: boolean;
}

declare global {
  interface Window {
    readingMoments: Moment[];
  }
}

/** Opens the transcript and keeps a moment for each word that is spoken. */
async function watchReading(page: Page): Promise<() => Promise<Moment[]>> {
  await openAvatar(page, served.site.origin);
  await untilSpoken(page);
  await avatar(page).getByRole("button", { name: "Write to Mara" }).click();
  await expect(log(page)).toBeVisible();
  await avatar(page).evaluate((element) => {
    const moments: Moment[] = [];
    window.readingMoments = moments;
    const last = (text: string): number => Number([...text.matchAll(/number (\d+)/g)].at(-1)?.[1] ?? 0);
    let now = 0;
    const look = (spoken: number): void => {
      const box = element.shadowRoot!.querySelector(".vv-log")!;
      const [range] = [...(CSS.highlights.get("visavis-voice") ?? [])] as Range[];
      const marked = range?.getBoundingClientRect();
      const view = box.getBoundingClientRect();
      moments.push({
        spoken,
        now,
        shown: last(box.textContent),
        marked: last(range?.toString() ?? ""),
        inView: marked !== undefined && marked.bottom <= view.bottom + 1 && marked.top >= view.top - 1,
      });
    };
    document.addEventListener("visavis-caption", ({ detail }) => {
      const spoken = (now = last(detail.text));
      if (spoken > 0) requestAnimationFrame(() => requestAnimationFrame(() => look(spoken)));
    });
  });
  return () => page.evaluate(() => window.readingMoments);
}

/** Expects that the sentence that is spoken was marked and in view. */
function expectMarked(seen: readonly Moment[]): void {
  expect(seen.filter(({ spoken, now, marked }) => marked < spoken - 1 || marked > now + 1)).toEqual([]);
  expect(seen.filter(({ inView }) => !inView)).toEqual([]);
}

test("what is said unasked stays with the voice: at most one sentence ahead, the spoken one marked and in view", async ({
  page,
}) => {
  const moments = await watchReading(page);
  const texts = sentences(6).split(/(?<=\.) /);
  await avatar(page).evaluate((element: AvatarElement, all) => {
    for (const text of all) element.say(text);
  }, texts);
  await expect.poll(async () => (await moments()).at(-1)?.spoken).toBe(6);
  const seen = await moments();
  expect(new Set(seen.map(({ spoken }) => spoken)).size).toBeGreaterThan(3);
  expect(seen.filter(({ spoken, now, shown }) => shown > now + 1 || shown < spoken)).toEqual([]);
  expectMarked(seen);
  await expect(log(page)).toContainText("Sentence number 6 is here.");
});

test("who types can read at once: the answer is shown as it is known, and the voice and its mark follow", async ({
  page,
}) => {
  const moments = await watchReading(page);
  model.answer = says(sentences(6));
  await ask(page, "Tell me all of it");
  await expect(log(page)).toContainText("Sentence number 6 is here.");
  await expect.poll(async () => (await moments()).at(-1)?.spoken).toBe(6);
  const seen = await moments();
  expect(seen.find(({ shown }) => shown === 6)?.spoken).toBeLessThan(4);
  expectMarked(seen);
});

test("a visitor who scrolls reads on without the voice, and a new question scrolls to itself", async ({
  page,
}) => {
  const moments = await watchReading(page);
  model.answer = says(sentences(14));
  await ask(page, "Tell me all of it");
  await expect.poll(async () => (await moments()).at(-1)?.spoken ?? 0).toBeGreaterThan(1);
  await log(page).hover();
  await page.mouse.wheel(0, -120);
  await expect(log(page)).toContainText("Sentence number 14 is here.");
  const top = await log(page).evaluate((box) => box.scrollTop);
  const spoken = (await moments()).at(-1)?.spoken ?? 0;
  await expect.poll(async () => (await moments()).at(-1)?.spoken ?? 0).toBeGreaterThan(spoken);
  expect(await log(page).evaluate((box) => box.scrollTop)).toBe(top);
  model.answer = says("Short.");
  await ask(page, "And what else is there?");
  await expect(log(page).getByText("And what else is there?")).toBeInViewport({ ratio: 1 });
});
