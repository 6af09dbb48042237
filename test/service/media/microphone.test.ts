import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Recording, RecordingToTranslate } from "../../../src/service/media/media-engine.ts";
import { Resampler } from "../../../src/service/media/resampler.ts";
import {
  createFliteSynthesizer,
  type FliteSynthesizer,
} from "../../../src/service/speech/flite-synthesizer.ts";
import { bundleEntry, type BundledEntry } from "../bundle-entry.ts";
import type { MediaClient } from "./media-client.ts";
import { mediaStand, ofType } from "./media-stand.ts";

const stand = mediaStand();
let worker: BundledEntry;
let synthesizer: FliteSynthesizer;
/** What the microphone hears, at 48 kHz, and the same at 16 kHz. */
let heard: Int16Array;
let spoken: Int16Array;

beforeAll(async () => {
  worker = await bundleEntry("src/service/speech/flite-worker.ts");
  synthesizer = createFliteSynthesizer({ workerUrl: worker.url });
  const text = "Where can I find the reading chairs?";
  const { pcm, sampleRateHz } = await synthesizer.synthesize({ text, voice: "slt" });
  const audio = new Resampler(pcm, sampleRateHz);
  heard = new Int16Array(audio.length);
  audio.read(0, heard);
  spoken = heard.filter((_, index) => index % 3 === 0);
});

afterAll(async () => {
  await synthesizer.close();
  worker.remove();
});

async function connectWithMicrophone(): Promise<MediaClient> {
  const client = stand.newClient();
  await client.addMicrophone();
  await stand.exchange(client);
  await client.until("pictures", ({ pictures }) => pictures > 0);
  return client;
}

/** Loudness of every 10 ms of 16 kHz audio. */
function envelope(pcm: Int16Array): number[] {
  return Array.from({ length: Math.floor(pcm.length / 160) }, (_, index) =>
    Math.sqrt(
      pcm.subarray(index * 160, (index + 1) * 160).reduce((sum, sample) => sum + sample * sample, 0) / 160,
    ),
  );
}

/** The best correlation of two courses of loudness over all shifts that keep the second inside the first. */
function bestCorrelation(longer: number[], shorter: number[]): number {
  const centered = (values: number[]): number[] => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.map((value) => value - mean);
  };
  const dot = (a: number[], b: number[]): number =>
    a.reduce((sum, value, index) => sum + value * b[index]!, 0);
  const pattern = centered(shorter);
  return Math.max(
    ...Array.from({ length: longer.length - shorter.length + 1 }, (_, shift) => {
      const window = centered(longer.slice(shift, shift + shorter.length));
      return dot(window, pattern) / Math.sqrt(dot(window, window) * dot(pattern, pattern) || 1);
    }),
  );
}

describe("the client's microphone", () => {
  it("is recorded between record-start and record-end-stt, and its text is answered", async () => {
    const recordings: Recording[] = [];
    stand.hooks.recognize = (_sessionId, recording) => {
      recordings.push(recording);
      return Promise.resolve({ ok: true, text: "where can i find the reading chairs" });
    };
    const client = await connectWithMicrophone();
    await client.send("record-start", {});
    await client.hear(heard);
    await client.send("record-end-stt", { language: "en" });
    const received = await client.until("the text", (seen) => ofType(seen, "stt").length > 0);
    expect(ofType(received, "stt")[0]!.data).toEqual({ text: "where can i find the reading chairs" });
    const [{ pcm, ...facts }] = recordings as [Recording];
    expect(facts).toEqual({ sampleRateHz: 16_000, language: "en" });
    // The whole of it is there: not a beginning or an end is missing.
    expect(pcm.length).toBeGreaterThanOrEqual(spoken.length - 800);
    const silence = new Int16Array(8_000);
    const padded = Int16Array.from([...silence, ...pcm, ...silence]);
    expect(bestCorrelation(envelope(padded), envelope(spoken))).toBeGreaterThan(0.9);
  });

  it("may come by a later offer, and is translated", async () => {
    const recordings: RecordingToTranslate[] = [];
    stand.hooks.translate = (_sessionId, recording) => {
      recordings.push(recording);
      return Promise.resolve({ ok: true, text: "의자" });
    };
    const client = await stand.connect();
    await client.send("record-start", {});
    await client.addMicrophone();
    const answer = await stand.exchange(client);
    expect(answer).toMatch(/m=audio [\s\S]*?a=sendrecv/);
    await client.hear(heard);
    await client.send("record-end-translate", { src_lang: "en", dst_lang: "ko" });
    const received = await client.until("the text", (seen) => ofType(seen, "stt").length > 0);
    expect(ofType(received, "stt")[0]!.data).toEqual({ text: "의자" });
    expect(recordings[0]).toMatchObject({ srcLang: "en", dstLang: "ko", sampleRateHz: 16_000 });
    expect(
      bestCorrelation(envelope(recordings[0]!.pcm), envelope(spoken.subarray(8_000, 24_000))),
    ).toBeGreaterThan(0.9);
  });

  it("answers by a code where there is nothing to recognize, and why an engine failed", async () => {
    const client = await stand.connect();
    await client.send("record-end-stt", {});
    await client.send("record-start", {});
    await client.send("record-end-stt", {});
    await client.until("both codes", (seen) => ofType(seen, "stt-error").length === 2);
    await client.addMicrophone();
    await stand.exchange(client);
    await client.send("record-start", {});
    await client.hear(heard.subarray(0, 24_000));
    await client.send("record-end-stt", {});
    const received = await client.until("the third", (seen) => ofType(seen, "stt-error").length === 3);
    const codes = ofType(received, "stt-error").map(({ data }) => data["code"]);
    expect(codes).toEqual(["no_recording", "no_microphone", "engine_failed"]);
  });

  it("gives its texts in the order in which the recordings ended", async () => {
    const answers: ((text: string) => void)[] = [];
    stand.hooks.recognize = () =>
      new Promise((resolve) => answers.push((text) => resolve({ ok: true, text })));
    const client = await connectWithMicrophone();
    for (const count of [1, 2]) {
      await client.send("record-start", {});
      await client.hear(heard.subarray(0, 9_600));
      await client.send("record-end-stt", {});
      await expect.poll(() => answers.length).toBe(count);
    }
    answers[1]!("second");
    answers[0]!("first");
    const received = await client.until("both", (seen) => ofType(seen, "stt").length === 2);
    expect(ofType(received, "stt").map(({ data }) => data["text"])).toEqual(["first", "second"]);
  });

  it("abandons what is being recognized when the session ends", async () => {
    const signals: AbortSignal[] = [];
    stand.hooks.recognize = (_sessionId, _recording, signal) => new Promise(() => signals.push(signal));
    const client = await connectWithMicrophone();
    await client.send("record-start", {});
    await client.hear(heard.subarray(0, 9_600));
    await client.send("record-end-stt", {});
    await expect.poll(() => signals.length).toBe(1);
    stand.engine.close("one");
    await expect.poll(() => signals[0]!.aborted).toBe(true);
  });
});
