import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  Recording,
  RecordingPiece,
  RecordingToTranslate,
} from "../../../src/service/media/media-engine.ts";
import { Resampler } from "../../../src/service/audio/resampler.ts";
import {
  createFliteSynthesizer,
  type FliteSynthesizer,
} from "../../../src/service/speech/engines/flite/flite-synthesizer.ts";
import { bundleEntry, type BundledEntry } from "../bundle-entry.ts";
import type { MediaClient } from "./media-client.ts";
import { mediaStand, ofType } from "./media-stand.ts";

const stand = mediaStand();
let worker: BundledEntry;
let synthesizer: FliteSynthesizer;
/** The sound at the microphone, at 48 kHz and at 16 kHz. */
let heard: Int16Array;
let spoken: Int16Array;

beforeAll(async () => {
  worker = await bundleEntry("src/service/speech/engines/flite/flite-worker.ts");
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

/** The least likeness of a recording to the sound that was sent: a busy machine leaves about 0.82. */
const alike = 0.75;

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

/** The correlation of two curves of the same length: 1 means equal up to loudness. */
function correlation(some: number[], others: number[]): number {
  const centered = (values: number[]): number[] => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.map((value) => value - mean);
  };
  const dot = (a: number[], b: number[]): number =>
    a.reduce((sum, value, index) => sum + value * b[index]!, 0);
  const [a, b] = [centered(some), centered(others)];
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b) || 1);
}

const windowLength = 40;

/** Where in `longer` a window is found, and its correlation there. */
function found(longer: number[], window: number[]): { at: number; fit: number } {
  const places = Array.from({ length: longer.length - window.length + 1 }, (_, at) => ({
    at,
    fit: correlation(longer.slice(at, at + window.length), window),
  }));
  return places.reduce((best, place) => (place.fit > best.fit ? place : best));
}

/**
 * How well a recording matches the sound that was sent, in windows of 0.4 s. A receiver stretches and shortens sound a little
 * to keep its buffer filled, more so on a busy machine, so no single offset fits the whole recording.
 */
function likeness(recorded: Int16Array, said: Int16Array): { median: number; isInOrder: boolean } {
  const longer = [...new Array<number>(windowLength).fill(0), ...envelope(recorded)];
  const whole = envelope(said);
  const starts = Array.from(
    { length: Math.floor(whole.length / windowLength) },
    (_, index) => index * windowLength,
  );
  const places = starts.map((start) => found(longer, whole.slice(start, start + windowLength)));
  const fits = places.map(({ fit }) => fit).sort((a, b) => a - b);
  const good = places.filter(({ fit }) => fit > 0.95);
  return {
    median: fits[Math.floor(fits.length / 2)]!,
    isInOrder: good.every(({ at }, index) => index === 0 || at > good[index - 1]!.at),
  };
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
    // The recording is complete: neither its beginning nor its end is missing.
    expect(pcm.length).toBeGreaterThanOrEqual(spoken.length * 0.95);
    const { median, isInOrder } = likeness(pcm, spoken);
    expect(median).toBeGreaterThan(alike);
    expect(isInOrder).toBe(true);
  });

  it("is told what was understood so far, where the recognizer can stream", async () => {
    const pieces: RecordingPiece[] = [];
    const recordings: Recording[] = [];
    stand.hooks.hear = (_sessionId, piece) => {
      pieces.push(piece);
      return Promise.resolve(`${pieces.length} heard`);
    };
    stand.hooks.recognize = (_sessionId, recording) => {
      recordings.push(recording);
      return Promise.resolve({ ok: true, text: "all of it" });
    };
    const client = await connectWithMicrophone();
    await client.send("record-start", {});
    // Each piece has all that has come since the one before: on a busy machine there are few of them.
    do await client.hear(heard);
    while (ofType(await client.received(), "stt-partial").length < 3);
    await client.send("record-end-stt", {});
    const received = await client.until("the text", (seen) => ofType(seen, "stt").length > 0);
    const partial = ofType(received, "stt-partial").map(({ data }) => data);
    expect(partial.length).toBeGreaterThan(2);
    expect(partial[0]).toEqual({ text: "1 heard" });
    const given = pieces.flatMap(({ pcm }) => [...pcm]);
    expect(recordings[0]?.heard).toEqual({
      recordingId: pieces[0]?.recordingId,
      samples: given.length,
    });
    expect([...recordings[0]!.pcm.subarray(0, given.length)]).toEqual(given);
  });

  it("is recorded from before record-start on, as long as preroll_ms says", async () => {
    const recordings: Recording[] = [];
    stand.hooks.recognize = (_sessionId, recording) => {
      recordings.push(recording);
      return Promise.resolve({ ok: true, text: "reading chairs" });
    };
    const client = await connectWithMicrophone();
    const lost = 24_000;
    await client.hear(heard.subarray(0, lost));
    await client.send("record-start", { preroll_ms: 500 });
    await client.hear(heard.subarray(lost));
    await client.send("record-end-stt", {});
    await client.until("the text", (seen) => ofType(seen, "stt").length > 0);
    expect(recordings[0]!.pcm.length).toBeGreaterThanOrEqual(spoken.length * 0.95);
    expect(likeness(recordings[0]!.pcm, spoken).median).toBeGreaterThan(alike);
  });

  it("may be added by a later offer, and its text is translated", async () => {
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
    expect(likeness(recordings[0]!.pcm, spoken).median).toBeGreaterThan(alike);
  });

  it("is answered with a code when there is nothing to recognize, and with the reason when an engine failed", async () => {
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

  it("gets its texts in the order in which the recordings ended", async () => {
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

  it("stops the recognition when the session ends", async () => {
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
