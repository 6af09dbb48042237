import { expect, test } from "vitest";
import { SpeechError } from "../../../../src/service/speech/speech-error.ts";
import { sentenceSynthesizer } from "../../../../src/service/speech/synthesis/sentence-synthesizer.ts";
import type { SpeechSynthesizer } from "../../../../src/service/speech/speech-synthesizer.ts";

/** A voice with 1 ms per character that cannot speak Hangul. It records its requests, and how many run at once. */
function voice() {
  const asked: string[] = [];
  let [running, most] = [0, 0];
  const engine: SpeechSynthesizer = {
    voices: ["v"],
    async synthesize({ text }) {
      asked.push(text);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running--;
      if (/\p{Script=Hangul}/u.test(text)) throw SpeechError.unspeakable("No Hangul.");
      const end = text.length;
      const words = text.split(" ").map((word) => ({ text: word, start: 0, end }));
      const visemes = [{ viseme: "aa" as const, start: 0, end }];
      return { sampleRateHz: 1_000, pcm: new Int16Array(end).fill(1), words, visemes };
    },
    close: () => Promise.resolve(),
  };
  return { asked, most: () => most, engine: sentenceSynthesizer(engine, ({ mp3 }) => mp3 === true) };
}

const sentence = (index: number) => `This is sentence number ${index} of a text that is much too long. `;
const longText = Array.from({ length: 40 }, (_, index) => sentence(index))
  .join("")
  .trim();

test("a long text is spoken in whole sentences, two pieces at a time, and joined to one speech", async () => {
  const { engine, asked, most } = voice();
  const { pcm, words, visemes } = await engine.synthesize({ text: longText, voice: "v" });
  expect(asked.length).toBeGreaterThanOrEqual(8);
  expect(asked.every((text) => text.length <= 300 && text.endsWith("."))).toBe(true);
  expect(most()).toBe(2);
  expect(words.map(({ text }) => text).join(" ")).toBe(longText);
  expect(visemes.at(-1)!.end).toBe(pcm.length);
  expect(pcm.every((sample) => sample === 1)).toBe(true);
});

test("paragraphs are spoken one by one, with a pause between", async () => {
  const { engine, asked } = voice();
  const { pcm, words } = await engine.synthesize({ text: "First one.\n \nSecond one.\n\n", voice: "v" });
  expect(asked).toEqual(["First one.", "Second one."]);
  expect(pcm.length).toBe(10 + 300 + 11 + 300);
  expect(words.map(({ start }) => start)).toEqual([0, 0, 310, 310]);
});

test("a short text, and one whose file is wanted unchanged, go to the engine in one piece", async () => {
  const { engine, asked } = voice();
  await engine.synthesize({ text: "Hello. How are you?", voice: "v" });
  await engine.synthesize({ text: longText, voice: "v", mp3: true });
  expect(asked).toEqual(["Hello. How are you?", longText]);
});

test("a piece that cannot be spoken is left out, and a text without any other piece is refused", async () => {
  const { engine } = voice();
  const korean = "안녕하세요 의자가 있어요. ".repeat(15);
  const { words, pcm } = await engine.synthesize({ text: `${longText} ${korean}`, voice: "v" });
  expect(words.at(-1)).toMatchObject({ text: "있어요.", start: pcm.length, end: pcm.length });
  await expect(engine.synthesize({ text: korean.repeat(2), voice: "v" })).rejects.toThrow("No Hangul.");
  await expect(engine.synthesize({ text: "a".repeat(5_001), voice: "v" })).rejects.toThrow("at most 5000");
});
