/** Reading along with the voice: the browser's own highlights and scrolling. */
import { expect, test, type Page } from "../support/test.ts";
import { openGallery, showState } from "../support/gallery-page.ts";
import { avatar } from "../support/widget.ts";

const sentences = Array.from({ length: 14 }, (_, index) => `Sentence number ${index + 1} is here.`);
const answer = sentences.join(" ");
const log = (page: Page) => avatar(page).getByRole("region", { name: "Transcript" });

/** The voice says a sentence of the last answer. Gives the text that is marked, and whether it is in view. */
function say(page: Page, index: number): Promise<{ marked: string; isInView: boolean }> {
  const from = sentences.slice(0, index).join(" ").length + (index > 0 ? 1 : 0);
  const place = { from, to: from + sentences[index]!.length };
  return avatar(page).evaluate(async (element, said) => {
    const entry = window.gallerySession.transcript.at(-1)!;
    window.gallerySession.emit("voice", { place: { entryId: entry.id, ...said } });
    window.gallerySession.emit("caption", { text: "It is here.", word: "here", index: 2 });
    // The list scrolls when the browser has laid it out.
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    const box = element.shadowRoot!.querySelector(".vv-log")!.getBoundingClientRect();
    const [range] = [...(CSS.highlights.get("visavis-voice") ?? [])] as Range[];
    const marked = range?.getBoundingClientRect();
    return {
      marked: range?.toString() ?? "",
      isInView: marked !== undefined && marked.top >= box.top - 1 && marked.bottom <= box.bottom + 1,
    };
  }, place);
}

test("the sentence that is spoken is marked and in view, until the visitor scrolls, and a new question scrolls to itself", async ({
  page,
}) => {
  await openGallery(page);
  await showState(page, "transcript");
  await page.evaluate((text) => {
    window.gallerySession.write("visitor", "Tell me all of it");
    window.gallerySession.write("avatar", text);
    window.gallerySession.act("speaking");
  }, answer);
  await expect(log(page)).toContainText("Sentence number 14 is here.");
  for (const index of [0, 1, 6, 12]) {
    await expect
      .poll(() => say(page, index), sentences[index])
      .toEqual({ marked: sentences[index], isInView: true });
    // Who types reads on ahead of the voice.
    await expect(log(page)).toContainText("Sentence number 14 is here.");
  }

  await log(page).hover();
  await page.mouse.wheel(0, -5_000);
  const top = (): Promise<number> => log(page).evaluate((box) => box.scrollTop);
  await expect.poll(top).toBe(0);
  expect((await say(page, 13)).marked).toBe(sentences[13]);
  expect(await top(), "where the visitor reads").toBe(0);
  await page.evaluate(() => {
    window.gallerySession.write("visitor", "And what else is there?");
  });
  await expect(log(page).getByText("And what else is there?")).toBeInViewport({ ratio: 1 });
});
