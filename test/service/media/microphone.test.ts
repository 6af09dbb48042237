import { describe, expect, it } from "vitest";
import type {
  Recording,
  RecordingPiece,
  RecordingToTranslate,
} from "../../../src/service/media/media-engine.ts";
import type { MediaClient } from "./media-client.ts";
import { mediaStand, ofType } from "./media-stand.ts";

const stand = mediaStand();
/** A second of a tone for the microphone, at 48 kHz. */
const heard = Int16Array.from({ length: 48_000 }, (_, at) =>
  Math.round(8_000 * Math.sin((2 * Math.PI * 440 * at) / 48_000)),
);

async function connectWithMicrophone(): Promise<MediaClient> {
  const client = stand.newClient();
  await client.addMicrophone();
  await stand.exchange(client);
  await client.until("pictures", ({ pictures }) => pictures > 0);
  return client;
}

/** Whether the tone is in a recording. How much of it has arrived depends on how busy the machine is. */
const isHeard = ({ pcm }: { pcm: Int16Array }): boolean => pcm.some((sample) => Math.abs(sample) > 1_000);

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
    expect(recordings).toEqual([{ pcm: expect.any(Int16Array), sampleRateHz: 16_000, language: "en" }]);
    expect(recordings.every(isHeard)).toBe(true);
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
    expect(recordings.every(isHeard)).toBe(true);
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

  it("gets its texts in the order in which the recordings ended, and none is recognized after the session's end", async () => {
    const answers: ((text: string) => void)[] = [];
    const signals: AbortSignal[] = [];
    stand.hooks.recognize = (_sessionId, _recording, signal) => {
      signals.push(signal);
      return new Promise((resolve) => answers.push((text) => resolve({ ok: true, text })));
    };
    const client = await connectWithMicrophone();
    for (const count of [1, 2, 3]) {
      await client.send("record-start", {});
      await client.hear(heard.subarray(0, 9_600));
      await client.send("record-end-stt", {});
      await expect.poll(() => answers.length).toBe(count);
    }
    answers[1]!("second");
    answers[0]!("first");
    const received = await client.until("both", (seen) => ofType(seen, "stt").length === 2);
    expect(ofType(received, "stt").map(({ data }) => data["text"])).toEqual(["first", "second"]);
    expect(signals[2]!.aborted).toBe(false);
    stand.engine.close("one");
    await expect.poll(() => signals[2]!.aborted).toBe(true);
  });
});
