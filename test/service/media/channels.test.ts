import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { speechPartSchema, type SpeechPart } from "../../../src/protocol/speech/speech-part.ts";
import { decodeWavFile, encodeWav } from "../../../src/service/audio/wav-file.ts";
import type {
  Recording,
  RecordingPiece,
  RecordingToTranslate,
  UploadedAudio,
} from "../../../src/service/media/media-engine.ts";
import type { Received } from "./client-process.ts";
import type { MediaClient } from "./media-client.ts";
import { isAudible, lookOf, mediaStand, ofType, tone } from "./media-stand.ts";

const stand = mediaStand();

describe("the message channel", () => {
  const types = [
    ...["ttstf", "stf", "clear-buffer", "change-size", "set-template", "record-start", "record-end-stt"],
    ...["record-end-translate", "ping", "activity", "motion", "voice", "file", "__proto__", ""],
  ];
  const texts = ["message", "file_ref", "format", "model", "language", "src_lang"];
  const fields = [...texts, "width", "height", "reduced", "rate"];
  const data = fc.oneof(
    fc.dictionary(fc.constantFrom(...fields), fc.jsonValue()),
    fc.jsonValue(),
    fc.constant(undefined),
  );
  /** Messages that are almost valid: known types with fields of wrong types. */
  const almost = fc
    .record({ type: fc.constantFrom(...types), data })
    .map((message) => JSON.stringify(message));

  it("stays open, with pictures and speech, for any messages of a client", async () => {
    const client = await stand.connect();
    const sent = fc.sample(fc.oneof(almost, fc.string(), fc.json()), { numRuns: 400, seed: 7 });
    for (const text of sent) await client.sendText(text);
    await client.send("clear-buffer", {});
    const { pictures } = await client.received();
    await client.send("ping", {});
    await client.send("ttstf", { message: "Still here." });
    const received = await client.until(
      "an answer to a ping",
      (seen) =>
        ofType(seen, "ping").length > 0 &&
        ofType(seen, "stf").at(-1)?.data["message"] === "Still here." &&
        seen.pictures > pictures,
    );
    expect(received.channelState).toBe("open");
    expect(stand.told.closed).toEqual([]);
    expect(stand.told.warnings.length).toBeLessThanOrEqual(16);
  });

  it("reports each unknown type once, and that the client is active", async () => {
    const client = await stand.connect();
    for (const type of ["dance", "dance", "sing", "dance", "sing"]) await client.send(type, {});
    await client.send("ping", {});
    await client.until("the answer", (seen) => ofType(seen, "ping").length === 1);
    expect(stand.told.warnings).toEqual([
      'A message of the unknown or wrong form "dance" was ignored.',
      'A message of the unknown or wrong form "sing" was ignored.',
    ]);
    expect(stand.told.active).toContain("one");
  });

  it("stops spoken texts and spoken files on clear-buffer, at once and for good", async () => {
    stand.hooks.synthesize = () => Promise.resolve(tone(440, 120_000));
    const client = await stand.connect();
    for (const message of ["one", "two", "three"]) await client.send("ttstf", { message });
    await client.until("the sound", ({ heard }) => heard.some(isAudible));
    await client.send("clear-buffer", {});
    // Much sooner than the first would end.
    await client.until("silence", (seen) => seen.heard.length > 60 && !seen.heard.slice(-50).some(isAudible));
    expect(ofType(await client.received(), "stf")).toHaveLength(1);
  });
});

describe("the channel `speech`", () => {
  const words = [{ text: "Hello", start: 0.25, end: 2_000 }];
  const visemes = Array.from({ length: 40 }, (_, i) => ({
    ...({ viseme: i % 2 ? "aa" : "PP" } as const),
    ...{ start: i * 50, end: (i + 1) * 50 },
  }));

  /** A client without video. */
  async function connect(): Promise<MediaClient> {
    const spoken = tone(440, 2_000, { words, visemes });
    stand.hooks = {
      synthesize: () => Promise.resolve(spoken),
      template: () => Promise.resolve(lookOf("mina")),
    };
    const client = stand.newClient({}, "audio-only");
    await stand.exchange(client);
    return client;
  }

  const partsOf = ({ parts }: Received): SpeechPart[] =>
    parts.map((text) => speechPartSchema.parse(JSON.parse(text)));

  it("gets timelines, in packets that come again", async () => {
    const client = await connect();
    await client.takeParts();
    await client.send("ttstf", { message: "Hello" });
    const received = await client.until("the parts", (seen) => {
      const told = partsOf(seen);
      const first = told.filter(({ from, duration }) => from === 0 && duration > 0);
      return first.length >= 3 && told.some(({ caption }) => caption) && ofType(seen, "stf").length > 0;
    });
    const [greeting, ...told] = partsOf(received);
    const parts = told.filter(({ duration }) => duration > 0);
    expect(greeting).toMatchObject({ speech: 0, duration: 0 });
    expect(new Set(parts.map(({ speech }) => speech))).toEqual(new Set([1]));
    const first = parts.filter(({ from }) => from === 0);
    expect(first).toHaveLength(3);
    expect(first[0]).toMatchObject({ duration: 2_000, accents: [[0, 2_000, expect.any(Number)]] });
    expect(first[0]?.visemes).toMatch(/^PP50aa50PP50/);
    const spoken = { message: "Hello", duration: 2_000 };
    const { caption } = told.find((part) => part.caption) ?? {};
    expect(caption).toEqual({ ...spoken, words: ["Hello"], times: [0, 2_000] });
    for (const text of received.parts) expect(text.length).toBeLessThan(1_120);
    const [notice] = ofType(received, "stf");
    expect(notice?.data).toEqual({ ...spoken, words: [{ text: "Hello", start: 0, end: 2_000 }], speech: 1 });
  });

  it("gets no more parts of a stopped speech, and those of the next one with the next number", async () => {
    const client = await connect();
    await client.takeParts();
    await client.send("ttstf", { message: "One" });
    await client.until("the first part", (seen) => seen.parts.length > 1);
    await client.send("clear-buffer", {});
    await client.send("ttstf", { message: "Two" });
    const received = await client.until("both", (seen) => ofType(seen, "stf").length === 2);
    expect(ofType(received, "stf").map(({ data }) => data["speech"])).toEqual([1, 2]);
    const numbers = partsOf(received).map(({ speech }) => speech);
    expect(numbers.slice(numbers.indexOf(2))).not.toContain(1);
  });

  it("is needed for them: without it the notice has all, in whole ms; a second one is closed, and the first goes on", async () => {
    const client = await connect();
    await client.send("ttstf", { message: "Hello" });
    const received = await client.until("the notice", (seen) => ofType(seen, "stf").length > 0);
    expect(received.parts).toEqual([]);
    const { data = {} } = ofType(received, "stf")[0] ?? {};
    expect(data).toMatchObject({ visemes, words: [{ start: 0, end: 2_000 }] });
    expect(data).not.toHaveProperty("speech");
    expect([await client.takeParts(), await client.takeParts()]).toEqual(["open", "closed"]);
    await client.send("ttstf", { message: "Hello" });
    await client.until("the parts", (seen) => seen.parts.length > 3);
  });
});

describe("the channel `file`", () => {
  function wav(frequencyHz = 300): Uint8Array {
    const outcome = tone(frequencyHz);
    return outcome.ok ? encodeWav(outcome.speech.pcm, outcome.speech.sampleRateHz) : new Uint8Array();
  }

  /** The file in pieces, and the empty piece that ends it. */
  function pieces(bytes: Uint8Array): Uint8Array[] {
    const size = 64 * 1024;
    const count = Math.ceil(bytes.length / size);
    const cut = Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
    return [...cut, new Uint8Array()];
  }

  /** Uploads whose speech was requested. They are decoded; their words are unknown. */
  function decodingUploads(): UploadedAudio[] {
    const uploads: UploadedAudio[] = [];
    stand.hooks.lipSync = (_sessionId, upload) => {
      uploads.push(upload);
      try {
        const sound = decodeWavFile(upload.bytes, 60);
        const visemes = [{ viseme: "aa" as const, start: 0, end: 500 }];
        return Promise.resolve({ ok: true, speech: { ...sound, words: [], visemes } });
      } catch (error) {
        return Promise.resolve({ ok: false, code: "invalid_audio", detail: String(error) });
      }
    };
    return uploads;
  }

  it("starts with an empty message and ends with a reference that plays the file", async () => {
    const uploads = decodingUploads();
    const client = await stand.connect();
    const file = wav();
    const { reference, received } = await client.upload(...pieces(file));
    expect(received).toEqual([0, reference!.length]);
    await client.send("stf", { message: "A tone.", file_ref: reference, format: "wav" });
    const after = await client.until(
      "the sound",
      (seen) => seen.heard.filter(isAudible).length > 30 && ofType(seen, "stf").length > 0,
    );
    expect(ofType(after, "stf")[0]!.data).toMatchObject({ message: "A tone.", duration: 500 });
    expect(uploads).toHaveLength(1);
    expect(uploads[0]).toMatchObject({ message: "A tone.", format: "wav" });
    expect(Buffer.from(uploads[0]!.bytes).equals(Buffer.from(file))).toBe(true);
  });

  it("refuses a file that is empty or text; the error says so, and several files at once work after it", async () => {
    const client = await stand.connect();
    for (const [index, [piece, detail]] of (
      [
        [new Uint8Array(), "The file is empty."],
        ["RIFF", "Files are uploaded in binary messages; this message was text."],
      ] as const
    ).entries()) {
      expect(await client.upload(piece)).toMatchObject({ reference: undefined, closed: true });
      const received = await client.until("the fault", (seen) => ofType(seen, "stf-error").length > index);
      const [told] = ofType(received, "stf-error").slice(index);
      expect(told!.data).toEqual({ message: "", code: "invalid_audio", detail });
    }
    const results = await Promise.all([1, 2, 3].map(() => client.upload(...pieces(wav()))));
    expect(new Set(results.map(({ reference }) => reference)).size).toBe(3);
  });

  it("keeps the order of its files with texts; unknown and broken files fail at their place", async () => {
    decodingUploads();
    const client = await stand.connect();
    const good = await client.upload(...pieces(wav()));
    const broken = await client.upload(...pieces(readFileSync(import.meta.filename)));
    const play = (message: string, file_ref: string): Promise<void> =>
      client.send("stf", { message, file_ref, format: "wav" });
    await client.send("ttstf", { message: "one" });
    await play("two", good.reference!);
    await play("three", broken.reference!);
    await client.send("ttstf", { message: "four" });
    await play("five", "file-unknown");
    await play("six", good.reference!);
    const received = await client.until("the last", (seen) => ofType(seen, "stf").length === 6);
    const outcomes = received.messages.map(({ type, data }) =>
      [type, data["message"], data["code"] ?? data["duration"] !== 0].join(" "),
    );
    expect(outcomes).toEqual([
      ...["stf one true", "stf two true", "stf-error three invalid_audio", "stf three false"],
      ...["stf four true", "stf-error five invalid_audio", "stf five false", "stf six true"],
    ]);
  });

  it("has its files stopped by clear-buffer, which also cancels the decoding", async () => {
    let aborted = false;
    stand.hooks.lipSync = (_sessionId, _upload, signal) =>
      new Promise(() => signal.addEventListener("abort", () => (aborted = true)));
    const client = await stand.connect();
    const { reference } = await client.upload(...pieces(wav()));
    await client.send("stf", { message: "one", file_ref: reference, format: "wav" });
    await client.send("clear-buffer", {});
    await client.send("ttstf", { message: "two" });
    await client.until("the next text", (seen) => ofType(seen, "stf").length === 1);
    expect(aborted).toBe(true);
  });
});

describe("the client's microphone", () => {
  /** A second of a tone, at 48 kHz. */
  const sound = Int16Array.from({ length: 48_000 }, (_, at) =>
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

  const textsOf = (received: Received): unknown[] => ofType(received, "stt").map(({ data }) => data["text"]);
  const answers = (client: MediaClient, count = 1): Promise<Received> =>
    client.until("the text", (seen) => ofType(seen, "stt").length === count);

  it("is recorded between record-start and record-end-stt, and its text is answered, also what was understood so far", async () => {
    const pieces: RecordingPiece[] = [];
    const recordings: Recording[] = [];
    stand.hooks.hear = (_sessionId, piece) => Promise.resolve(`${pieces.push(piece)} heard`);
    stand.hooks.recognize = (_sessionId, recording) => {
      recordings.push(recording);
      return Promise.resolve({ ok: true, text: "all of it" });
    };
    const client = await connectWithMicrophone();
    await client.send("record-start", {});
    // Each piece has all that has come since the one before: on a busy machine there are few of them.
    do await client.hear(sound);
    while (ofType(await client.received(), "stt-partial").length < 3);
    await client.send("record-end-stt", { language: "en" });
    const received = await answers(client);
    expect(ofType(received, "stt")[0]!.data).toEqual({ text: "all of it" });
    expect(ofType(received, "stt-partial")[0]?.data).toEqual({ text: "1 heard" });
    const given = pieces.flatMap(({ pcm }) => [...pcm]);
    const heard = { recordingId: pieces[0]?.recordingId, samples: given.length };
    expect(recordings).toEqual([
      { pcm: expect.any(Int16Array), sampleRateHz: 16_000, language: "en", heard },
    ]);
    expect(recordings.every(isHeard)).toBe(true);
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
    expect((await stand.exchange(client)).answerSdp).toMatch(/m=audio [\s\S]*?a=sendrecv/);
    await client.hear(sound);
    await client.send("record-end-translate", { src_lang: "en", dst_lang: "ko" });
    expect(textsOf(await answers(client))).toEqual(["의자"]);
    expect(recordings).toMatchObject([{ srcLang: "en", dstLang: "ko", sampleRateHz: 16_000 }]);
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
    await client.hear(sound.subarray(0, 24_000));
    await client.send("record-end-stt", {});
    const received = await client.until("the third", (seen) => ofType(seen, "stt-error").length === 3);
    const codes = ofType(received, "stt-error").map(({ data }) => data["code"]);
    expect(codes).toEqual(["no_recording", "no_microphone", "engine_failed"]);
  });

  it("gets its texts in the order in which the recordings ended, and none is recognized after the session's end", async () => {
    const asked: { answer: (text: string) => void; signal: AbortSignal }[] = [];
    stand.hooks.recognize = (_sessionId, _recording, signal) =>
      new Promise((resolve) => asked.push({ signal, answer: (text) => resolve({ ok: true, text }) }));
    const client = await connectWithMicrophone();
    for (const count of [1, 2, 3]) {
      await client.send("record-start", {});
      await client.hear(sound.subarray(0, 9_600));
      await client.send("record-end-stt", {});
      await expect.poll(() => asked.length).toBe(count);
    }
    asked[1]!.answer("second");
    asked[0]!.answer("first");
    expect(textsOf(await answers(client, 2))).toEqual(["first", "second"]);
    expect(asked[2]!.signal.aborted).toBe(false);
    stand.engine.close("one");
    await expect.poll(() => asked[2]!.signal.aborted).toBe(true);
  });
});
