import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AudioError } from "../../../src/service/audio/decoded-audio.ts";
import { collectGarbage } from "../../../src/service/collect-garbage.ts";
import { decodeAudio } from "../../../src/service/audio/decode-audio.ts";
import { encodeWav } from "../../../src/service/audio/wav-file.ts";

/** 0.5 s of a 440 Hz tone, stereo at 24,000 Hz before encoding, the right channel half as loud. The encoder chose 16 kHz. */
const tone = readFileSync(join(import.meta.dirname, "fixtures/tone-440-stereo.mp3"));

/** The properties of a WAV file. */
interface WavShape {
  /** Format tag: 1 PCM, 3 float, 6 A-law, 7 µ-law. */
  kind: number;
  bits: number;
  sampleRateHz: number;
  /** Whether the header has the extensible format. */
  extensible?: boolean;
}

/** The codes of G.711 that are nearest to these samples by its definition: of A-law and of µ-law. */
const companded = new Map([
  [0, [0x55, 0x7f]],
  [0.5, [0xba, 0x8f]],
  [-0.5, [0x3a, 0x0f]],
  [0.25, [0x8a, 0x9f]],
  [-1, [0x2a, 0x00]],
  [0.999, [0xaa, 0x80]],
]);

function writeSample(view: DataView, at: number, value: number, { kind, bits }: WavShape): void {
  if (kind === 3 && bits === 32) view.setFloat32(at, value, true);
  else if (kind === 3) view.setFloat64(at, value, true);
  else if (kind === 6 || kind === 7) view.setUint8(at, companded.get(value)![kind - 6]!);
  else if (bits === 8) view.setUint8(at, Math.round(value * 127) + 128);
  else {
    const whole = Math.round(value * (2 ** (bits - 1) - 1));
    for (let byte = 0; byte < bits / 8; byte++)
      view.setUint8(at + byte, Math.floor(whole / 256 ** byte) & 255);
  }
}

/** A WAV file of the channels' samples (fractions of full scale). */
function wavOf(channels: readonly (readonly number[])[], shape: WavShape): Uint8Array {
  const { kind, bits, sampleRateHz, extensible = false } = shape;
  const sampleBytes = Math.ceil(bits / 8);
  const length = (channels[0]?.length ?? 0) * channels.length * sampleBytes;
  const formatBytes = extensible ? 40 : 16;
  const bytes = Buffer.alloc(28 + formatBytes + length);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(formatBytes, 16);
  bytes.writeUInt16LE(extensible ? 0xfffe : kind, 20);
  bytes.writeUInt16LE(channels.length, 22);
  bytes.writeUInt32LE(sampleRateHz, 24);
  bytes.writeUInt16LE(bits, 34);
  if (extensible) bytes.writeUInt16LE(kind, 44);
  bytes.write("data", 20 + formatBytes);
  bytes.writeUInt32LE(length, 24 + formatBytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (const [channel, samples] of channels.entries())
    for (const [index, value] of samples.entries())
      writeSample(view, 28 + formatBytes + (index * channels.length + channel) * sampleBytes, value, shape);
  return bytes;
}

function codeOf(bytes: Uint8Array): string {
  try {
    decodeAudio(bytes);
    return "fine";
  } catch (error) {
    return error instanceof AudioError ? error.code : String(error);
  }
}

/** How often the samples cross zero upwards, per second. */
function pitchHz(pcm: Int16Array, sampleRateHz: number): number {
  let crossings = 0;
  for (let index = 1; index < pcm.length; index++) if (pcm[index - 1]! < 0 && pcm[index]! >= 0) crossings++;
  return (crossings * sampleRateHz) / pcm.length;
}

describe("WAV", () => {
  const samples = [0, 0.5, -0.5, 0.25, -1, 0.999];
  const plainShape = { kind: 1, bits: 16, sampleRateHz: 16_000 };

  test.each([
    ["8-bit PCM", 1, 8, 400],
    ["16-bit PCM", 1, 16, 2],
    ["24-bit PCM", 1, 24, 2],
    ["32-bit PCM", 1, 32, 2],
    ["32-bit float", 3, 32, 2],
    ["64-bit float", 3, 64, 2],
    ["A-law", 6, 8, 600],
    ["µ-law", 7, 8, 700],
  ])("%s is read", (_name, kind, bits, tolerance) => {
    for (const extensible of [false, true]) {
      const file = wavOf([samples], { kind, bits, sampleRateHz: 22_050, extensible });
      const { pcm, sampleRateHz } = decodeAudio(file);
      expect([sampleRateHz, pcm.length]).toEqual([22_050, samples.length]);
      for (const [index, value] of samples.entries())
        expect(Math.abs(pcm[index]! - value * 32_768)).toBeLessThan(tolerance);
    }
  });

  test("a file of millions of empty chunks is refused without keeping them", () => {
    const bytes = Buffer.alloc(12 + 8 * 1_000_000);
    bytes.write("RIFF", 0);
    bytes.write("WAVE", 8);
    for (let chunk = 0; chunk < 1_000_000; chunk++) bytes.writeUInt32LE(chunk, 12 + 8 * chunk);
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    expect(codeOf(bytes)).toBe("broken");
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
  });

  test("channels are mixed into one", () => {
    const { pcm } = decodeAudio(wavOf([samples, samples.map((value) => -value), samples], plainShape));
    samples.forEach((value, index) => expect(pcm[index]! / 32_768).toBeCloseTo(value / 3, 3));
  });

  test("floats above full scale are clipped, and NaN is silence", () => {
    const file = wavOf([[2, -2, NaN, Infinity]], { kind: 3, bits: 32, sampleRateHz: 8_000 });
    expect([...decodeAudio(file).pcm]).toEqual([32_767, -32_768, 0, 32_767]);
  });

  test("chunks before the samples are skipped, and a file that is shorter than its header says is read to its end", () => {
    const plain = Buffer.from(wavOf([samples], plainShape));
    const extra = Buffer.from("LIST\x05\0\0\0hello\0", "latin1");
    const file = Buffer.concat([plain.subarray(0, 36), extra, plain.subarray(36)]);
    file.writeUInt32LE(0xffff_ffff, 36 + extra.length + 4);
    expect(decodeAudio(file).pcm).toHaveLength(samples.length);
  });

  test("samples of length 0, as who writes while speaking leaves them, go on to the end", () => {
    const file = Buffer.from(wavOf([samples], plainShape));
    file.writeUInt32LE(0, 4);
    file.writeUInt32LE(0, 40);
    expect(decodeAudio(file).pcm).toHaveLength(samples.length);
    const empty = Buffer.from(wavOf([[]], plainShape));
    const listed = Buffer.concat([empty, Buffer.from("LIST\x05\0\0\0hello\0", "latin1")]);
    expect(() => decodeAudio(listed)).toThrow("no samples");
  });

  test.each([
    ["no samples", wavOf([[]], plainShape), "empty"],
    ["ADPCM", wavOf([samples], { ...plainShape, kind: 2, bits: 4 }), "unsupported"],
    ["12 bits", wavOf([samples], { ...plainShape, bits: 12 }), "unsupported"],
    ["no format", Buffer.from("RIFF\0\0\0\0WAVEdata\x02\0\0\0xx"), "broken"],
    ["rate 0", wavOf([samples], { ...plainShape, sampleRateHz: 0 }), "broken"],
    ["no channel", wavOf([], plainShape), "broken"],
    ["601 s", encodeWav(new Int16Array(8_000 * 601), 8_000), "too_long"],
  ])("%s is refused", (_name, file, code) => {
    expect(codeOf(file)).toBe(code);
  });
});

describe("MP3", () => {
  test("is decoded and mixed into one channel", () => {
    const { pcm, sampleRateHz } = decodeAudio(tone);
    expect(sampleRateHz).toBe(16_000);
    expect(Math.abs(pcm.length / sampleRateHz - 0.55)).toBeLessThan(0.1);
    const middle = pcm.subarray(3_000, 7_000);
    expect(Math.abs(pitchHz(middle, sampleRateHz) - 440)).toBeLessThan(15);
    // 12,000 and 6,000 of 32,768 mixed.
    expect(Math.abs(Math.max(...middle) - 9_000)).toBeLessThan(1_000);
  });

  test("that is incomplete is decoded as far as it goes", () => {
    expect(decodeAudio(tone.subarray(0, 1_500)).pcm.length).toBeGreaterThan(0);
  });

  test.each([
    ["a tag alone", Buffer.from("ID3\x04\0\0\0\0\0\x0a0123456789", "latin1")],
    ["a frame's beginning alone", tone.subarray(0, 8)],
    ["noise behind a sync word", Buffer.concat([Buffer.from([0xff, 0xfb]), Buffer.alloc(3_000, 0x55)])],
  ])("%s is broken", (_name, file) => {
    expect(codeOf(file)).toBe("broken");
  });

  test("that lasts for hours is refused before all of it is decoded", () => {
    expect(codeOf(Buffer.concat(Array.from({ length: 4_000 }, () => tone)))).toBe("too_long");
  });
});

test.each([
  ["nothing", "", "empty"],
  ["text", "Hello, this is no audio.", "broken"],
  ["a picture", "\x89PNG\r\n\x1a\n0000", "broken"],
  ["Ogg", "OggS\0\x02", "unsupported"],
  ["AIFF", "FORM\0\0\0\0AIFF", "unsupported"],
  ["MP4", "\0\0\0\x20ftypM4A ", "unsupported"],
  ["WebM", "\x1aE\xdf\xa3\x01", "unsupported"],
])("%s is not taken for audio", (_name, text, code) => {
  expect(codeOf(Buffer.from(text, "latin1"))).toBe(code);
});

test("any bytes give audio or an error with a code", () => {
  const wav = Buffer.from(wavOf([[0.1, 0.2]], { kind: 1, bits: 16, sampleRateHz: 16_000 }));
  const heads = fc.constantFrom(...[0, 12, 20, 36].map((end) => wav.subarray(0, end)), tone.subarray(0, 600));
  const codes = ["fine", "empty", "broken", "unsupported", "too_long"];
  fc.assert(
    fc.property(heads, fc.uint8Array({ maxLength: 400 }), (head, tail) => {
      expect(codes).toContain(codeOf(Buffer.concat([head, tail])));
    }),
  );
});
