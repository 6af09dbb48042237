import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createEspeakSynthesizer,
  findEspeak,
} from "../../../../../src/service/speech/engines/espeak/espeak-engine.ts";
import {
  espeakTimings,
  visemesOfIpa,
} from "../../../../../src/service/speech/engines/espeak/espeak-program.ts";
import type { SpeechSynthesizer } from "../../../../../src/service/speech/speech-synthesizer.ts";
import { bundleEntry, type BundledEntry } from "../../../bundle-entry.ts";
import { durationMs, expectTimes } from "../../speech-times.ts";

test.each([
  ["p", ["PP"]],
  ["tʃ", ["CH"]],
  ["t", ["DD"]],
  ["dʑ", ["CH"]],
  ["ˈoʊ", ["oh", "ou"]],
  ["ˈɔːɹ", ["oh", "RR"]],
  ["ɔ̃", ["oh"]],
  ["s-", ["SS"]],
  ["ɯ", ["ou"]],
  ["aa", ["aa"]],
  ["", []],
  ["ǃ", []],
])("%s has the shapes %j", (ipa, visemes) => {
  expect(visemesOfIpa(ipa)).toEqual(visemes);
});

test("a sound lasts until the next one, pauses are silent, and language switches have no sound", () => {
  const event = (type: string, text_position: number, audio_position: number, id?: string) => ({
    ...{ type, text_position, audio_position, ...(id !== undefined && { id }) },
  });
  const events = [
    event("word", 1, 10),
    event("phoneme", 1, 10, "(en)"),
    event("phoneme", 1, 10, "m"),
    event("phoneme", 1, 60, "aɪ"),
    event("word", 6, 160),
    event("phoneme", 6, 160, "u"),
    event("phoneme", 8, 300, ""),
    event("end", 8, 310),
  ];
  const words = [
    { text: "my", start: 0 },
    { text: "😀", start: 3 },
    { text: "ou", start: 5 },
  ];
  expect(espeakTimings(events, words, 400)).toEqual({
    words: [
      { text: "my", start: 10, end: 160 },
      { text: "😀", start: 160, end: 160 },
      { text: "ou", start: 160, end: 300 },
    ],
    visemes: [
      { viseme: "sil", start: 0, end: 10 },
      { viseme: "PP", start: 10, end: 60 },
      { viseme: "aa", start: 60, end: 110 },
      { viseme: "ih", start: 110, end: 160 },
      { viseme: "ou", start: 160, end: 300 },
      { viseme: "sil", start: 300, end: 400 },
    ],
  });
  expect(espeakTimings([], [], 50)).toEqual({ words: [], visemes: [{ viseme: "sil", start: 0, end: 50 }] });
});

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
    const speech = await espeak.synthesize({ text, voice });
    const endMs = durationMs(speech);
    expect(speech.sampleRateHz).toBe(22_050);
    expect(endMs).toBeGreaterThan(600);
    expect(speech.pcm.some((sample) => sample > 3_000)).toBe(true);
    expectTimes(speech, endMs, text);
    expect(speech.words.at(-1)!.end).toBeGreaterThan(endMs * 0.7);
    expect(new Set(speech.visemes.map(({ viseme }) => viseme)).size).toBeGreaterThan(5);
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

  test.each([
    ["…", "ko", "unspeakable_text", ""],
    ["a".repeat(5_001), "ko", "text_too_long", ""],
    ["Hi", "xx-none", "engine_failed", "xx-none"],
  ])("refuses “%.9s” with the voice %s, and speaks after it", async (text, voice, code, named) => {
    const message = expect.stringContaining(named) as string;
    await expect(espeak.synthesize({ text, voice })).rejects.toMatchObject({ code, message });
    expect((await espeak.synthesize({ text: "Hi", voice: "en-us" })).words).toHaveLength(1);
  });
});
