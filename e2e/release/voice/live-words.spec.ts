import { expect, test } from "../../support/test.ts";
import { resample } from "../../../src/service/audio/resampler.ts";
import { toneOf } from "../../../test/service/speech/engines/sherpa/tiny-models.ts";
import { hear, microphoneOf, soundOf, type Heard } from "../../support/fake-microphone.ts";
import { seenEvents } from "../../support/page-records.ts";
import { prepareContext } from "../../support/service-api.ts";
import { panelText, transcript } from "../../support/talk.ts";
import { tonePages } from "../../support/tone-pages.ts";
import { addToneRecognizer } from "../../support/tone-recognizer.ts";
import { avatar } from "../../support/widget.ts";

const pages = tonePages(async (place) => {
  await addToneRecognizer(place.server, { name: "tones", locale: "en", streaming: true });
  await prepareContext(place, ({ embed_config }) => {
    embed_config["stt_type"] = "tones";
  });
  return undefined;
});

/** A word of the model, as a microphone hears it. */
const tone =
  (word: string): Heard =>
  (rateHz) =>
    resample(toneOf(word), 8_000, rateHz);

test("what a streaming model understands is shown while the visitor still speaks", async ({ page }) => {
  await pages.openTo(page);
  await avatar(page).locator(".vv-mic").hover();
  await page.mouse.down();
  await expect.poll(() => microphoneOf(page)).toBe("on");
  await hear(page, await soundOf(tone("two")));
  await expect.poll(() => panelText(page)).toMatch(/\btwo\b/);
  await hear(page, await soundOf(tone("four")));
  await expect.poll(() => panelText(page)).toMatch(/\btwo( two)* four\b/);
  // Nothing is final while the button is held.
  const partial = (await seenEvents(page)).filter(({ type }) => type === "visavis-transcript");
  expect(partial.length).toBeGreaterThan(0);
  expect(partial.every(({ detail }) => detail["final"] === false)).toBe(true);
  await page.mouse.up();
  await expect
    .poll(async () => (await transcript(page)).find((line) => line.startsWith("visitor:")))
    .toMatch(/two( two)* four/);
});
