import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createEspeakSynthesizer,
  findEspeak,
} from "../../../../../src/service/speech/engines/espeak/espeak-engine.ts";
import type { SpeechSynthesizer } from "../../../../../src/service/speech/speech-synthesizer.ts";
import { bundleEntry, type BundledEntry } from "../../../bundle-entry.ts";

/** eSpeak NG is not a dependency (its licence is the GPL). These tests run if it is installed or VISAVIS_ESPEAK_PATH names it. */
const modulePath = findEspeak(process.env["VISAVIS_ESPEAK_PATH"]);

test("eSpeak NG is not found in a folder without it", () => {
  expect(findEspeak("/nowhere")).toBeNull();
});

describe.skipIf(modulePath === null)("eSpeak NG [needs eSpeak NG]", () => {
  let entry: BundledEntry;
  let espeak: SpeechSynthesizer;

  beforeAll(async () => {
    entry = await bundleEntry("src/service/speech/engines/espeak/espeak-worker.ts");
    espeak = createEspeakSynthesizer({ workerUrl: entry.url, modulePath: modulePath! });
  });

  afterAll(async () => {
    await espeak.close();
    entry.remove();
  });

  test.each([
    ["en-us", "Hello there, 12 chairs & <b>more</b>."],
    ["ko", "안녕하세요, 의자가 3개 있어요."],
    ["de", "Guten Tag, was möchten Sie?"],
    ["fr", "Bonjour 😀 à tous"],
  ])("speaks %s with its words and gapless shapes", async (voice, text) => {
    const { pcm, sampleRateHz, words, visemes } = await espeak.synthesize({ text, voice });
    const durationMs = (pcm.length * 1_000) / sampleRateHz;
    expect(sampleRateHz).toBe(22_050);
    expect(durationMs).toBeGreaterThan(600);
    expect(pcm.reduce((most, sample) => Math.max(most, sample), 0)).toBeGreaterThan(3_000);
    expect(words.map((word) => word.text)).toEqual(text.split(" "));
    let before = 0;
    for (const { start, end } of words) {
      expect(start).toBeGreaterThanOrEqual(before);
      expect(end).toBeGreaterThanOrEqual(start);
      before = end;
    }
    expect(before).toBeGreaterThan(durationMs * 0.7);
    expect(before).toBeLessThanOrEqual(durationMs);
    expect(visemes[0]!.start).toBe(0);
    expect(visemes.at(-1)!.end).toBeCloseTo(durationMs, 3);
    visemes.slice(1).forEach(({ start }, index) => expect(start).toBeCloseTo(visemes[index]!.end, 6));
    expect(new Set(visemes.map(({ viseme }) => viseme)).size).toBeGreaterThan(5);
  });

  test("speaks faster and slower when it is told to, and as before afterwards", async () => {
    const say = (rate?: number) =>
      espeak.synthesize({ text: "We open at nine o'clock.", voice: "en-us", rate });
    const [usual, fast, slow] = [await say(), await say(1.4), await say(0.8)];
    expect(fast.pcm.length).toBeLessThan(usual.pcm.length * 0.85);
    expect(slow.pcm.length).toBeGreaterThan(usual.pcm.length * 1.1);
    const other = await espeak.synthesize({ text: "We open at nine o'clock!", voice: "en-us" });
    expect(Math.abs(other.pcm.length / usual.pcm.length - 1)).toBeLessThan(0.1);
  });

  test("gives each word the time of its own sounds", async () => {
    const { words } = await espeak.synthesize({ text: "chairs & extraordinarily so", voice: "en-us" });
    const lengths = words.map(({ start, end }) => end - start);
    expect(lengths[2]).toBeGreaterThan(2 * lengths[3]!);
    expect(lengths[1]).toBeGreaterThan(0);
  });

  test("refuses a text that it cannot speak, and an unknown voice", async () => {
    await expect(espeak.synthesize({ text: "…", voice: "ko" })).rejects.toMatchObject({
      code: "unspeakable_text",
    });
    await expect(espeak.synthesize({ text: "a".repeat(5_001), voice: "ko" })).rejects.toMatchObject({
      code: "text_too_long",
    });
    await expect(espeak.synthesize({ text: "Hi", voice: "xx-none" })).rejects.toMatchObject({
      code: "engine_failed",
      message: expect.stringContaining("xx-none") as string,
    });
    expect((await espeak.synthesize({ text: "Hi", voice: "en-us" })).words).toHaveLength(1);
  });
});
