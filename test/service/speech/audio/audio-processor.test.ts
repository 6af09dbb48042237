import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TimedViseme } from "../../../../src/protocol/speech/speech.ts";
import type { AudioProcessor } from "../../../../src/service/speech/audio/audio-processor.ts";
import { createAudioProcessor } from "../../../../src/service/speech/audio/create-audio-processor.ts";
import {
  createFliteSynthesizer,
  type FliteSynthesizer,
} from "../../../../src/service/speech/engines/flite/flite-synthesizer.ts";
import { encodeWav } from "../../../../src/service/audio/wav-file.ts";
import { integratedLoudness, truePeakDb } from "../../../../src/service/audio/loudness.ts";
import { type BundledEntry, bundleEntry } from "../../bundle-entry.ts";
import { durationMs, expectTimes } from "../speech-times.ts";

const texts = [
  "Good morning, Mara. The reading chair costs twelve dollars and it is forty centimeters wide.",
  "We deliver within three working days. Which of our sofas would you like to see first?",
  "Our shop is open from nine in the morning until six in the evening.",
];

let entries: BundledEntry[];
let flite: FliteSynthesizer;
let audio: AudioProcessor;

beforeAll(async () => {
  entries = await Promise.all(
    ["engines/flite/flite-worker", "audio/audio-worker"].map((name) =>
      bundleEntry(`src/service/speech/${name}.ts`),
    ),
  );
  flite = createFliteSynthesizer({ workerUrl: entries[0]!.url });
  audio = createAudioProcessor({ workerUrl: entries[1]!.url, reference: flite, referenceVoice: "slt" });
});

afterAll(async () => {
  await audio.close();
  await flite.close();
  for (const entry of entries) entry.remove();
});

/** The text, spoken after a silence and with this part of its level. */
async function spokenAfter(silenceSec: number, text: string, level = 1) {
  const spoken = await flite.synthesize({ text, voice: "rms" });
  const silence = spoken.sampleRateHz * silenceSec;
  const pcm = new Int16Array(silence + spoken.pcm.length);
  pcm.set(
    spoken.pcm.map((sample) => sample * level),
    silence,
  );
  return { spoken, pcm };
}

/** The fraction of the time, in steps of 10 ms, at which two timelines agree. */
function agreement(a: TimedViseme[], b: TimedViseme[], same: (a: string, b: string) => boolean) {
  const endMs = b.at(-1)!.end;
  const at = (visemes: TimedViseme[], ms: number) => visemes.find(({ end }) => end > ms)?.viseme ?? "sil";
  let agreed = 0;
  for (let ms = 5; ms < endMs; ms += 10) if (same(at(a, ms), at(b, ms))) agreed += 10;
  return agreed / endMs;
}

test("speech of an engine without timings gets them, the common loudness, and no silence at its ends", async () => {
  const text = texts[0]!;
  const { spoken, pcm } = await spokenAfter(0.6, text, 1 / 12);
  const finished = await audio.finish({ pcm, sampleRateHz: spoken.sampleRateHz, text });
  const samples = Float32Array.from(finished.pcm, (sample) => sample / 32_768);
  expect(Math.abs(integratedLoudness(samples, finished.sampleRateHz) + 16)).toBeLessThanOrEqual(1);
  expect(truePeakDb(samples)).toBeLessThanOrEqual(-1);
  expect(Math.abs(durationMs(finished) - durationMs(spoken))).toBeLessThan(150);
  expect(finished.words.map((word) => word.text)).toEqual(text.split(" "));
  expect(Math.abs(finished.words[0]!.start - spoken.words[0]!.start)).toBeLessThan(120);
});

describe("speech with a known text", () => {
  test("has its words and shapes close to the voice's own timings", async () => {
    const errorsMs: number[] = [];
    const agreements: number[] = [];
    for (const text of texts) {
      const spoken = await flite.synthesize({ text, voice: "rms" });
      const aligned = await audio.align({ ...spoken, text });
      expectTimes(aligned, durationMs(spoken), text);
      aligned.words.forEach(({ start, end }, index) => {
        const truth = spoken.words[index]!;
        errorsMs.push(Math.abs(start - truth.start), Math.abs(end - truth.end));
      });
      agreements.push(agreement(aligned.visemes, spoken.visemes, (a, b) => a === b));
    }
    errorsMs.sort((a, b) => a - b);
    expect(errorsMs[Math.floor(errorsMs.length / 2)]).toBeLessThan(30);
    expect(errorsMs[Math.floor(errorsMs.length * 0.9)]).toBeLessThan(120);
    expect(Math.min(...agreements)).toBeGreaterThan(0.55);
  });

  test("is aligned at another speed and after a silence", async () => {
    const text = texts[2]!;
    const { spoken, pcm } = await spokenAfter(0.7, text);
    // Played 1.5 times as fast.
    const aligned = await audio.align({ pcm, sampleRateHz: spoken.sampleRateHz * 1.5, text });
    const first = aligned.words[0]!;
    expect(Math.abs(first.start - (700 + spoken.words[0]!.start) / 1.5)).toBeLessThan(60);
    expect(aligned.visemes[0]).toMatchObject({ viseme: "sil", start: 0 });
  });

  test("has pauses where the speaker pauses, even if the reference voice does not", async () => {
    const text = texts[2]!;
    const spoken = await flite.synthesize({ text, voice: "rms" });
    const { sampleRateHz } = spoken;
    const from = spoken.words.find((word) => word.text === "nine")!.start;
    const [at, length] = [Math.round((from * sampleRateHz) / 1_000), Math.round(sampleRateHz * 0.6)];
    const pcm = new Int16Array(spoken.pcm.length + length);
    pcm.set(spoken.pcm.subarray(0, at));
    pcm.set(spoken.pcm.subarray(at), at + length);
    const aligned = await audio.align({ pcm, sampleRateHz, text });
    expectTimes(aligned, durationMs({ pcm, sampleRateHz }), text);
    const rest = aligned.visemes.find(({ start, end }) => start < from + 300 && end > from + 300)!;
    expect(rest.viseme).toBe("sil");
    expect(rest.end - rest.start).toBeGreaterThan(500);
    const word = (name: string) => aligned.words.find((one) => one.text === name)!;
    expect(Math.abs(word("from").end - from)).toBeLessThan(120);
    expect(Math.abs(word("nine").start - (from + 600))).toBeLessThan(120);
  });

  test("moves the mouth by loudness if the audio does not match the text", async () => {
    const spoken = await flite.synthesize({ text: "Yes.", voice: "rms" });
    const text = texts.join(" ");
    const aligned = await audio.align({ ...spoken, text });
    expectTimes(aligned, durationMs(spoken), text);
  });
});

describe("speech with an unknown text", () => {
  test.each(["", "안녕하세요 여러분"])("(%j) opens the mouth when it is loud", async (text) => {
    const spoken = await flite.synthesize({ text: texts[1]!, voice: "rms" });
    const aligned = await audio.align({ ...spoken, text });
    expectTimes(aligned, durationMs(spoken), text);
    const bothSilent = (a: string, b: string) => (a === "sil") === (b === "sil");
    expect(agreement(aligned.visemes, spoken.visemes, bothSilent)).toBeGreaterThan(0.85);
  });

  test("silence keeps the mouth shut", async () => {
    const aligned = await audio.align({ pcm: new Int16Array(16_000), sampleRateHz: 16_000, text: "" });
    expect(aligned).toEqual({ words: [], visemes: [{ viseme: "sil", start: 0, end: 1_000 }] });
  });
});

test("files are decoded in the worker, also what a browser recorded, or refused with a code", async () => {
  const pcm = Int16Array.from([1, 2, 3]);
  expect(await audio.decode(encodeWav(pcm, 16_000))).toEqual({ pcm, sampleRateHz: 16_000 });
  const file = readFileSync(join(import.meta.dirname, "../../audio/fixtures/chromium-opus.webm"));
  const recording = await audio.decode(file);
  expect(recording.sampleRateHz).toBe(48_000);
  expect(durationMs(recording) / 1_000).toBeCloseTo(1.1, 1);
  const broken = audio.decode(Buffer.from("no audio"));
  await expect(broken).rejects.toMatchObject({ name: "AudioError", code: "broken" });
  await expect(audio.decode(new Uint8Array())).rejects.toMatchObject({ code: "empty" });
});
