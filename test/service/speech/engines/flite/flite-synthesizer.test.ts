import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createFliteSynthesizer,
  type FliteSynthesizer,
} from "../../../../../src/service/speech/engines/flite/flite-synthesizer.ts";
import { integratedLoudness, truePeakDb } from "../../../../../src/service/audio/loudness.ts";
import type { Speech } from "../../../../../src/service/speech/speech-synthesizer.ts";
import { type BundledEntry, bundleEntry } from "../../../bundle-entry.ts";
import { durationMs, expectTimes } from "../../speech-times.ts";

const greeting = "Good morning, Mara. Chair 68 costs $12.50 and it's 40 cm wide; Dr. Smith said so!";

let entry: BundledEntry;
let synthesizer: FliteSynthesizer;

beforeAll(async () => {
  entry = await bundleEntry("src/service/speech/engines/flite/flite-worker.ts");
  synthesizer = createFliteSynthesizer({ workerUrl: entry.url });
  await synthesizer.warm();
});

afterAll(async () => {
  await synthesizer.close();
  entry.remove();
});

const say = (text: string, voice = "slt"): Promise<Speech> => synthesizer.synthesize({ text, voice });
const textsOf = ({ words }: Speech): string[] => words.map(({ text }) => text);

const energy = (pcm: Int16Array): number =>
  Math.sqrt(pcm.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, pcm.length));

/** The median pitch of speech from `fromMs` on, by its autocorrelation. */
function medianPitchHz({ pcm, sampleRateHz: rate }: Speech, fromMs = 0): number {
  const pitches: number[] = [];
  const width = Math.round(rate * 0.04);
  for (let at = Math.round((fromMs * rate) / 1000); at + width * 2 < pcm.length; at += width) {
    let [best, bestLag] = [0.6, 0];
    const frame = pcm.subarray(at, at + width);
    const power = frame.reduce((sum, sample) => sum + sample * sample, 0);
    if (power / width < 200_000) continue;
    for (let lag = Math.round(rate / 320); lag < rate / 75; lag++) {
      let [product, shifted] = [0, 1];
      frame.forEach((sample, i) => {
        const other = pcm[at + i + lag] ?? 0;
        product += sample * other;
        shifted += other * other;
      });
      const likeness = product / Math.sqrt(power * shifted);
      if (likeness > best + 0.02) [best, bestLag] = [likeness, lag];
    }
    if (bestLag > 0) pitches.push(rate / bestLag);
  }
  pitches.sort((a, b) => a - b);
  return pitches[Math.floor(pitches.length / 2)]!;
}

describe("preparing", () => {
  it("speaks what is asked for first once, also for a session that asks meanwhile", async () => {
    const first = { text: "Welcome to the shop by the harbour.", voice: "slt" };
    synthesizer.prepare(first);
    const sessions = ["one", "two"];
    const asked = await Promise.all(sessions.map((session) => synthesizer.synthesize({ ...first, session })));
    expect(asked[0]).toBe(asked[1]);
    expect(await synthesizer.synthesize({ ...first, session: "three" })).toBe(asked[0]);
  });

  it("says nothing about a first text that cannot be spoken until somebody asks for it", async () => {
    const first = { text: "안녕하세요.", voice: "slt" };
    synthesizer.prepare(first);
    await expect(synthesizer.synthesize(first)).rejects.toMatchObject({ code: "unspeakable_text" });
  });
});

describe("speaking", () => {
  it.each(["slt", "rms", "awb", "kal", "kal16"])(
    "is as loud with the voice %s as with all others, which is audible, and its peaks are limited",
    async (voice) => {
      const text = "Hello there, how are you? The parcel leaves our warehouse on the next working day.";
      const { pcm, sampleRateHz } = await say(text, voice);
      expect(sampleRateHz).toBe(voice === "kal" ? 8_000 : 16_000);
      const samples = Float32Array.from(pcm, (sample) => sample / 32_768);
      expect(Math.abs(integratedLoudness(samples, sampleRateHz) + 16)).toBeLessThanOrEqual(1);
      expect(truePeakDb(samples)).toBeLessThanOrEqual(-1);
    },
  );

  it.each(["slt", "rms"])("speaks faster and higher with the voice %s when it is told to", async (voice) => {
    const text = "You want to change your order.";
    const usual = await say(text, voice);
    const fast = await synthesizer.synthesize({ text, voice, rate: 1.25 });
    expect(durationMs(usual) / durationMs(fast)).toBeCloseTo(1.2, 1);
    const high = await synthesizer.synthesize({ text, voice, pitch: 1.2 });
    expect(Math.abs(durationMs(high) / durationMs(usual) - 1)).toBeLessThan(0.08);
    expect(medianPitchHz(high) / medianPitchHz(usual)).toBeCloseTo(1.2, 1);
    expect(high.words.at(-1)!.end).toBeLessThanOrEqual(durationMs(high));
    expect(await say(text, voice)).toBe(usual);
  });

  it("rises at the end of a question, and keeps its words", async () => {
    const text = "Do you want to change your order";
    const [question, statement] = await Promise.all([say(`${text}?`), say(`${text}.`)]);
    const last = (speech: Speech): number => medianPitchHz(speech, speech.words.at(-1)!.start);
    expect(last(question) / last(statement)).toBeGreaterThan(1.1);
    expect(textsOf(question)).toEqual(`${text}?`.split(" "));
  });

  const isLoud = (sample: number): boolean => Math.abs(sample) > 300;

  /** The longest silence in the sound, in ms, apart from its ends. */
  function longestSilenceMs({ pcm, sampleRateHz }: Speech): number {
    const loud = [...pcm.keys()].filter((at) => isLoud(pcm[at]!));
    return (Math.max(...loud.slice(1).map((at, index) => at - loud[index]!)) * 1_000) / sampleRateHz;
  }

  it.each(["slt", "rms"])(
    "pauses at a comma, longer at a paragraph, not within a clause, and little between texts (%s)",
    async (voice) => {
      const spoken = await Promise.all(
        ["today we", "today, we", "today. We", "today.\n\nWe"].map((middle) =>
          say(`It is open ${middle} are here until nine.`, voice),
        ),
      );
      const [plain, comma, sentence, paragraph] = spoken.map(longestSilenceMs);
      expect(comma! - plain!).toBeGreaterThan(30);
      expect(paragraph! - sentence!).toBeGreaterThan(150);
      expect(textsOf(spoken[3]!).join(" ")).toBe("It is open today. We are here until nine.");
      // The sound and the words agree on the pause.
      const { words, pcm, sampleRateHz } = spoken[3]!;
      const pauses = words.slice(1).map(({ start }, index) => start - words[index]!.end);
      expect(Math.max(...pauses)).toBeGreaterThan(400);
      const silent = pcm.findIndex(isLoud) + pcm.length - pcm.findLastIndex(isLoud);
      expect((silent * 1_000) / sampleRateHz).toBeLessThan(300);
    },
  );

  it("pauses before a part of an answer that begins a paragraph", async () => {
    const [same, next] = [await say("It is open today."), await say("\n\nIt is open today.")];
    expect(next.words[0]!.start - same.words[0]!.start).toBe(300);
    expect(next.pcm.length - same.pcm.length).toBe(4_800);
    expect(next.visemes[0]).toEqual({ viseme: "sil", start: 0, end: 300 });
  });

  it("returns words and gapless mouth shapes, gives a number the time of its spoken words, and begins at once", async () => {
    const speech = await say(greeting);
    const { words, visemes, pcm, sampleRateHz } = speech;
    expectTimes(speech, durationMs(speech), greeting);
    for (const { text, start, end } of words) expect(end - start, text).toBeGreaterThan(20);
    const lengthOf = (word: string): number => {
      const found = words.find(({ text }) => text === word)!;
      return found.end - found.start;
    };
    expect(lengthOf("$12.50")).toBeGreaterThan(2 * lengthOf("Chair"));
    expect(lengthOf("68")).toBeGreaterThan(lengthOf("it's"));
    expect(new Set(visemes.map(({ viseme }) => viseme)).size).toBeGreaterThan(8);
    expect(energy(pcm.subarray(0, sampleRateHz * 0.12))).toBeGreaterThan(100);
    expect(energy(pcm.subarray(-sampleRateHz * 0.05))).toBeLessThan(100);
    expect(await say(greeting)).toBe(speech);
  });

  it("speaks a long text in pieces with continuous times", async () => {
    const sentences = Array.from({ length: 12 }, (_, index) => `Sentence number ${index} is about chairs.`);
    const speech = await say(sentences.join(" "));
    expectTimes(speech, durationMs(speech), sentences.join(" "));
    expect(speech.words.at(-1)!.end).toBeGreaterThan(durationMs(speech) - 500);
  });

  it("speaks for another session at once, however many texts one session has queued", async () => {
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

  it("keeps an emoji in the words without speaking it", async () => {
    const speech = await say("Welcome 😀 to our shop");
    expect(textsOf(speech)).toEqual(["Welcome", "😀", "to", "our", "shop"]);
    expect(speech.words[1]!.end - speech.words[1]!.start).toBe(0);
  });

  it("speaks texts that look like options or markup", async () => {
    const { words, pcm } = await say("-lv --help <break/> -f x");
    expect(words).toHaveLength(5);
    expect(pcm.length).toBeGreaterThan(8_000);
  });
});

it("is prepared once, however often it is asked to", async () => {
  const first = synthesizer.warm();
  synthesizer.prepare();
  expect(synthesizer.warm()).toBe(first);
  await first;
});

it("leaves out what is left of its preparation when somebody speaks already", async () => {
  const starting = createFliteSynthesizer({ workerUrl: entry.url, workers: 1 });
  const order: string[] = [];
  await Promise.all([
    starting.warm().then(() => order.push("prepared")),
    starting.synthesize({ text: "How may I help you?", voice: "slt" }).then(() => order.push("spoken")),
  ]);
  // Otherwise the rehearsal would have been spoken too, after what somebody waits for.
  expect(order).toEqual(["prepared", "spoken"]);
  await starting.close();
});

describe("refusing", () => {
  it.each([
    ["안녕하세요", "slt", "unspeakable_text", "Hangul"],
    ["你好，世界", "slt", "unspeakable_text", "Han"],
    ["Привет, Mara", "slt", "unspeakable_text", "Cyrillic"],
    ["こんにちは", "slt", "unspeakable_text", "Hiragana"],
    ["😀 🎉", "slt", "unspeakable_text", ""],
    ["…", "slt", "unspeakable_text", ""],
    ["   ", "slt", "unspeakable_text", ""],
    ["—!", "slt", "unspeakable_text", ""],
    ["word ".repeat(1_001), "slt", "text_too_long", ""],
    ["Hi", "nobody", "engine_failed", "slt"],
  ])("“%.12s” with the voice %s is an error: %s, which names %j", async (text, voice, code, named) => {
    const message = expect.stringContaining(named) as string;
    await expect(say(text, voice)).rejects.toMatchObject({ name: "SpeechError", code, message });
  });

  it("removes a queued text when it is cancelled", async () => {
    const controller = new AbortController();
    const text = "A fairly long sentence that nobody has asked for so far. ".repeat(60);
    const pending = synthesizer.synthesize({ text, voice: "awb", signal: controller.signal });
    controller.abort();
    await expect(pending).rejects.toMatchObject({ name: "AbortError" });
    expect((await say("Still here.")).words).toHaveLength(2);
  });
});
