import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createFliteSynthesizer,
  type FliteSynthesizer,
} from "../../../src/service/speech/flite-synthesizer.ts";
import { bundleEntry, type BundledEntry } from "../bundle-entry.ts";

const greeting = "Good morning, Mara. Chair 68 costs $12.50 and it's 40 cm wide; Dr. Smith said so!";

let entry: BundledEntry;
let synthesizer: FliteSynthesizer;

beforeAll(async () => {
  entry = await bundleEntry("src/service/speech/flite-worker.ts");
  synthesizer = createFliteSynthesizer({ workerUrl: entry.url });
  await synthesizer.warm();
});

afterAll(async () => {
  await synthesizer.close();
  entry.remove();
});

function energy(pcm: Int16Array): number {
  return Math.sqrt(pcm.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, pcm.length));
}

describe("speaking", () => {
  it.each(["slt", "rms", "awb", "kal", "kal16"])("gives audible speech in the voice %s", async (voice) => {
    const speech = await synthesizer.synthesize({ text: "Hello there, how are you?", voice });
    expect(speech.sampleRateHz).toBe(voice === "kal" ? 8_000 : 16_000);
    expect(energy(speech.pcm)).toBeGreaterThan(300);
  });

  it("returns the words as they are written, in order, within the audio", async () => {
    const { words, pcm, sampleRateHz } = await synthesizer.synthesize({ text: greeting, voice: "slt" });
    expect(words.map(({ text }) => text).join(" ")).toBe(greeting);
    const durationMs = (pcm.length * 1_000) / sampleRateHz;
    let previousEnd = 0;
    for (const { text, start, end } of words) {
      expect(start, text).toBeGreaterThanOrEqual(previousEnd);
      expect(end - start, text).toBeGreaterThan(20);
      previousEnd = end;
    }
    expect(previousEnd).toBeLessThanOrEqual(durationMs);
  });

  it("gives a number the time of the words that are said for it", async () => {
    const { words } = await synthesizer.synthesize({ text: greeting, voice: "slt" });
    const lengthOf = (word: string): number => {
      const found = words.find(({ text }) => text === word)!;
      return found.end - found.start;
    };
    expect(lengthOf("$12.50")).toBeGreaterThan(2 * lengthOf("Chair"));
    expect(lengthOf("68")).toBeGreaterThan(lengthOf("it's"));
  });

  it("covers the whole audio with mouth shapes, without gaps", async () => {
    const { visemes, pcm, sampleRateHz } = await synthesizer.synthesize({ text: greeting, voice: "slt" });
    expect(visemes[0]!.start).toBe(0);
    expect(visemes.at(-1)!.end).toBeCloseTo((pcm.length * 1_000) / sampleRateHz, 3);
    visemes.slice(1).forEach(({ start }, index) => expect(start).toBeCloseTo(visemes[index]!.end, 6));
    expect(new Set(visemes.map(({ viseme }) => viseme)).size).toBeGreaterThan(8);
  });

  it("begins with sound at once and ends in silence", async () => {
    const { pcm, sampleRateHz } = await synthesizer.synthesize({ text: greeting, voice: "slt" });
    expect(energy(pcm.subarray(0, sampleRateHz * 0.12))).toBeGreaterThan(100);
    expect(energy(pcm.subarray(-sampleRateHz * 0.05))).toBeLessThan(100);
  });

  it("speaks for another session at once, however much one session has asked for", async () => {
    const page = Array.from({ length: 200 }, (_, index) => `Chair ${index} is oak.`).join(" ");
    const stop = new AbortController();
    let pagesSpoken = 0;
    const flood = Array.from({ length: 8 }, (_, index) =>
      synthesizer
        .synthesize({ text: `${index} ${page}`, voice: "kal", session: "flood", signal: stop.signal })
        .then(() => (pagesSpoken += 1)),
    );
    const visitor = { voice: "kal", session: "visitor" };
    for (const text of ["Welcome to our house.", "Do you like it here?", "What may I show you?"])
      await synthesizer.synthesize({ ...visitor, text });
    expect(pagesSpoken).toBe(0);
    stop.abort(new Error("enough"));
    await Promise.allSettled(flood);
  });

  it("speaks a long text in pieces whose times run on", async () => {
    const text = Array.from({ length: 30 }, (_, index) => `Sentence number ${index} is about chairs.`).join(
      " ",
    );
    const { words, visemes, pcm, sampleRateHz } = await synthesizer.synthesize({ text, voice: "slt" });
    const durationMs = (pcm.length * 1_000) / sampleRateHz;
    expect(words.map((word) => word.text).join(" ")).toBe(text);
    expect(words.at(-1)!.end).toBeGreaterThan(durationMs - 500);
    expect(visemes.at(-1)!.end).toBeCloseTo(durationMs, 3);
    for (const [index, word] of words.slice(1).entries()) {
      expect(word.start).toBeGreaterThanOrEqual(words[index]!.end);
    }
  });

  it("keeps an emoji in the words and leaves it unsaid", async () => {
    const { words } = await synthesizer.synthesize({ text: "Welcome 😀 to our shop", voice: "slt" });
    expect(words.map(({ text }) => text)).toEqual(["Welcome", "😀", "to", "our", "shop"]);
    expect(words[1]!.end - words[1]!.start).toBe(0);
  });

  it("takes what looks like options or markup for text", async () => {
    const { words, pcm } = await synthesizer.synthesize({ text: "-lv --help <break/> -f x", voice: "slt" });
    expect(words).toHaveLength(5);
    expect(pcm.length).toBeGreaterThan(8_000);
  });

  it("answers a repeated text from memory", async () => {
    const first = await synthesizer.synthesize({ text: greeting, voice: "rms" });
    expect(await synthesizer.synthesize({ text: greeting, voice: "rms" })).toBe(first);
  });
});

describe("refusing", () => {
  it.each([
    ["안녕하세요", "Hangul"],
    ["你好，世界", "Han"],
    ["Привет, Mara", "Cyrillic"],
    ["こんにちは", "Hiragana"],
  ])("names the script of %s", async (text, script) => {
    await expect(synthesizer.synthesize({ text, voice: "slt" })).rejects.toMatchObject({
      name: "SpeechError",
      code: "unspeakable_text",
      message: expect.stringContaining(script) as string,
    });
  });

  it.each(["😀 🎉", "…", "   ", "—!"])("finds nothing to say in “%s”", async (text) => {
    await expect(synthesizer.synthesize({ text, voice: "slt" })).rejects.toMatchObject({
      code: "unspeakable_text",
    });
  });

  it("refuses a text that is too long", async () => {
    const text = "word ".repeat(1_001);
    await expect(synthesizer.synthesize({ text, voice: "slt" })).rejects.toMatchObject({
      code: "text_too_long",
    });
  });

  it("names the voices when asked for one that it does not have", async () => {
    await expect(synthesizer.synthesize({ text: "Hi", voice: "nobody" })).rejects.toMatchObject({
      code: "engine_failed",
      message: expect.stringContaining("slt") as string,
    });
  });

  it("drops what is queued when it is cancelled", async () => {
    const controller = new AbortController();
    const text = "A fairly long sentence that nobody has asked for so far. ".repeat(60);
    const pending = synthesizer.synthesize({ text, voice: "awb", signal: controller.signal });
    controller.abort();
    await expect(pending).rejects.toMatchObject({ name: "AbortError" });
    const next = await synthesizer.synthesize({ text: "Still here.", voice: "slt" });
    expect(next.words).toHaveLength(2);
  });
});
