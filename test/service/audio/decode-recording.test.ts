import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cpuMs } from "../../cpu-time.ts";
import { AudioError } from "../../../src/service/audio/decoded-audio.ts";
import { decodeRecording } from "../../../src/service/audio/decode-audio.ts";

/**
 * 440 Hz. Chromium's and Firefox's MediaRecorder made those with their names, Firefox's of its own tone for tests, 1 kHz; FFmpeg with
 * libopus, its encoder of FLAC and others made the rest. In stereo the right channel is half as loud as the left.
 */
const fixture = (name: string) => readFileSync(join(import.meta.dirname, "fixtures", name));

const recordings = [
  ...["chromium-opus.webm", "chromium-opus.mp4", "firefox-opus.ogg", "firefox-opus.webm"],
  ...["tone-440-opus.ogg", "tone-440-opus-stereo.webm", "tone-440-opus.m4a", "tone-440-stereo.flac"],
];

async function codeOf(bytes: Uint8Array): Promise<string> {
  try {
    await decodeRecording(bytes);
    return "fine";
  } catch (error) {
    return error instanceof AudioError ? error.code : String(error);
  }
}

const codes = ["fine", "empty", "broken", "unsupported", "too_long"];

test("FLAC is decoded without a loss, its channels mixed", async () => {
  const { pcm, sampleRateHz } = await decodeRecording(fixture("tone-440-stereo.flac"));
  expect(sampleRateHz).toBe(8_000);
  expect(pcm).toHaveLength(4_000);
  pcm.forEach((value, index) => {
    const left = Math.trunc(12_000 * Math.sin((2 * Math.PI * 440 * index) / 8_000));
    expect(Math.abs(value - (left + Math.floor(left / 2)) / 2)).toBeLessThan(1);
  });
});

test("both channels of Opus are mixed into one", async () => {
  const { pcm, sampleRateHz } = await decodeRecording(fixture("tone-440-opus-stereo.webm"));
  expect(sampleRateHz).toBe(48_000);
  const loudest = pcm.subarray(12_000, 36_000).reduce((most, value) => Math.max(most, value), 0);
  expect(Math.abs(loudest - 9_000)).toBeLessThan(900);
});

test("more than two channels are refused", async () => {
  expect(await codeOf(fixture("tone-440-opus-8-channels.webm"))).toBe("unsupported");
});

test.each(recordings)("%s that is cut off gives what is there, or an error with a code", async (name) => {
  const file = fixture(name);
  const half = await decodeRecording(file.subarray(0, file.length / 2)).catch((error: unknown) => error);
  // FFmpeg wrote the table of this one at its end.
  if (name === "tone-440-opus.m4a") expect(half).toMatchObject({ code: "unsupported" });
  else if (name === "chromium-opus.mp4") expect(half).toMatchObject({ sampleRateHz: 48_000 });
  else expect((half as { pcm: Int16Array }).pcm.length).toBeGreaterThan(1_000);
  for (let length = 5; length < file.length; length += 211)
    expect(codes).toContain(await codeOf(file.subarray(0, length)));
});

test.each(recordings)("%s with bytes changed at any place gives audio or an error, in time", async (name) => {
  const file = fixture(name);
  const change = fc.tuple(fc.nat(file.length - 1), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
      const changed = Buffer.from(file);
      for (const [at, value] of changes) changed[Math.floor(at / 4)] = changed[at] = value;
      let code: unknown;
      expect(await cpuMs(async () => (code = await codeOf(changed)))).toBeLessThan(5_000);
      expect(codes).toContain(code);
    }),
    { numRuns: 20 },
  );
});

/** An Ogg page of the stream 1 with these packets, each of less than 255 bytes. */
function oggPage(packets: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(27);
  head.write("OggS");
  head.writeUInt32LE(1, 14);
  head[26] = packets.length;
  return Buffer.concat([head, Buffer.from(packets.map(({ length }) => length)), ...packets]);
}

const opusHead = Buffer.concat([
  Buffer.from("OpusHead\x01\x01", "latin1"),
  Buffer.from([0x38, 1, 0x80, 0xbb, 0, 0, 0, 0, 0]),
]);

/** Packets that are silence in two bytes: 120 ms of it, and 2.5 ms of it. */
const longest = Buffer.from([0x1b, 0x02]);
const shortest = Buffer.from([0xe0, 0x00]);

function oggOf(packet: Uint8Array, pages: number): Buffer {
  const page = oggPage(Array.from({ length: 255 }, () => packet));
  return Buffer.concat([oggPage([opusHead]), ...Array.from({ length: pages }, () => page)]);
}

/** One packet over this many pages. */
function oggOfOnePacket(pages: number): Buffer {
  const one = Buffer.alloc(28 + 255);
  one.write("OggS");
  one[5] = 1;
  one.writeUInt32LE(1, 14);
  one[26] = 1;
  one[27] = 255;
  const end = Buffer.concat([one.subarray(0, 27), Buffer.from([1, 0])]);
  return Buffer.concat([oggPage([opusHead]), ...Array.from({ length: pages }, () => one), end]);
}

/** FLAC at 96 kHz, one channel, with frames of 13 bytes. */
function flacOfSilence(frames: number): Buffer {
  const information = Buffer.alloc(34);
  information.set([0x17, 0x70, 0x00, 0xf0], 10);
  const frame = Buffer.from("fff8700000ffff000000000000", "hex");
  const head = Buffer.from("fLaC\x80\0\0\x22", "latin1");
  return Buffer.concat([head, information, Buffer.alloc(frames * frame.length, frame)]);
}

/** A fragmented MP4 whose runs claim billions of packets at the same place. */
function mp4OfLies(runs: number, size: number): Buffer {
  const box = (type: string, ...contents: Uint8Array[]): Buffer => {
    const content = Buffer.concat(contents);
    const head = Buffer.alloc(8);
    head.writeUInt32BE(content.length + 8);
    head.write(type, 4, "latin1");
    return Buffer.concat([head, content]);
  };
  const numbers = (...values: number[]): Buffer => {
    const content = Buffer.alloc(4 * values.length);
    values.forEach((value, index) => content.writeUInt32BE(value, 4 * index));
    return content;
  };
  const opus = box("Opus", Buffer.alloc(28), box("dOps", Buffer.from([0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])));
  const trak = box("trak", box("tkhd", numbers(0, 0, 0, 1, 0, 0)), box("stsd", numbers(0, 1), opus));
  const run = box("trun", numbers(0x1, 0xffff_ffff, 8));
  return Buffer.concat([
    box("ftyp", Buffer.from("iso5")),
    box("moov", trak),
    box("moof", box("traf", box("tfhd", numbers(0x10, 1, size)), ...Array.from({ length: runs }, () => run))),
  ]);
}

/** These bytes, and 5 MB of others over and over. */
const repeated = (head: string, part: string): Buffer =>
  Buffer.concat([Buffer.from(head, "hex"), Buffer.alloc(5_000_000, Buffer.from(part, "hex"))]);

test.each([
  ["an hour of silence in small packets", oggOf(longest, 120), "too_long"],
  ["endless packets of 2.5 ms", oggOf(shortest, 12_000), "too_long"],
  ["endless packets without a byte", oggOf(new Uint8Array(), 40_000), "empty"],
  ["a packet of 10 MB", oggOfOnePacket(40_000), "broken"],
  ["FLAC of frames that unpack to 65,536 samples each", flacOfSilence(200_000), "too_long"],
  ["runs of billions of packets without a byte", mp4OfLies(100_000, 0), "empty"],
  ["runs of billions of packets at one place", mp4OfLies(100_000, 1), "broken"],
  ["millions of empty boxes", repeated("0000000866747970", "000000087472616b"), "unsupported"],
  ["millions of empty clusters", repeated("1a45dfa380", "1f43b67580"), "unsupported"],
])("%s: an answer in time", async (_name, file, code) => {
  let told: unknown;
  expect(await cpuMs(async () => (told = await codeOf(file)))).toBeLessThan(10_000);
  expect(told).toBe(code);
});
