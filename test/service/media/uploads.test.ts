import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { UploadedAudio } from "../../../src/service/media/media-engine.ts";
import { decodeWavFile, encodeWav } from "../../../src/service/audio/wav-file.ts";
import { isAudible, mediaStand, ofType, tone } from "./media-stand.ts";

const stand = mediaStand();
const pieceBytes = 64 * 1024;

function wav(frequencyHz = 300): Uint8Array {
  const outcome = tone(frequencyHz);
  return outcome.ok ? encodeWav(outcome.speech.pcm, outcome.speech.sampleRateHz) : new Uint8Array();
}

/** The file in pieces, and the empty piece that ends it. */
function pieces(bytes: Uint8Array): Uint8Array[] {
  const count = Math.ceil(bytes.length / pieceBytes);
  const cut = Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  return [...cut, new Uint8Array()];
}

/** Uploads whose speech was requested. They are decoded; their words are unknown. */
function decodingUploads(): UploadedAudio[] {
  const uploads: UploadedAudio[] = [];
  stand.hooks.lipSync = (_sessionId, upload) => {
    uploads.push(upload);
    try {
      return Promise.resolve({
        ok: true,
        speech: {
          ...decodeWavFile(upload.bytes, 60),
          words: [],
          visemes: [{ viseme: "aa", start: 0, end: 500 }],
        },
      });
    } catch (error) {
      return Promise.resolve({ ok: false, code: "invalid_audio", detail: String(error) });
    }
  };
  return uploads;
}

describe("uploading a file", () => {
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

  it("is refused where it is empty or text; the error says so, and several files at once work after it", async () => {
    const client = await stand.connect();
    const refused = [
      [new Uint8Array(), "The file is empty."],
      ["RIFF", "Files are uploaded in binary messages; this message was text."],
    ] as const;
    for (const [index, [piece, detail]] of refused.entries()) {
      expect(await client.upload(piece)).toMatchObject({ reference: undefined, closed: true });
      const received = await client.until("the fault", (seen) => ofType(seen, "stf-error").length > index);
      expect(ofType(received, "stf-error")[index]!.data).toEqual({
        ...{ message: "", code: "invalid_audio" },
        detail,
      });
    }
    const results = await Promise.all([1, 2, 3].map(() => client.upload(...pieces(wav()))));
    expect(new Set(results.map(({ reference }) => reference)).size).toBe(3);
  });
});

describe("playing uploads", () => {
  it("keeps the order with texts; unknown and broken files fail at their place", async () => {
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
    expect(
      received.messages.map(({ type, data }) => [
        type,
        data["message"],
        data["code"] ?? data["duration"] !== 0,
      ]),
    ).toEqual([
      ["stf", "one", true],
      ["stf", "two", true],
      ["stf-error", "three", "invalid_audio"],
      ["stf", "three", false],
      ["stf", "four", true],
      ["stf-error", "five", "invalid_audio"],
      ["stf", "five", false],
      ["stf", "six", true],
    ]);
  });

  it("is stopped by clear-buffer, which also cancels the decoding", async () => {
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
