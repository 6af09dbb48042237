import { AudioError, type DecodedAudio } from "./decoded-audio.ts";

/** What a WAV file says of its samples. */
interface WavFormat {
  kind: number;
  channels: number;
  sampleRateHz: number;
  bits: number;
}

interface Chunk {
  at: number;
  length: number;
}

/** Format tags (Microsoft, mmreg.h). */
const pcmKind = 1;
const floatKind = 3;
const aLawKind = 6;
const muLawKind = 7;
const extensibleKind = 0xfffe;

/** Names of chunks: `fmt ` and `data`. */
const formatName = 0x66_6d_74_20;
const dataName = 0x64_61_74_61;

const maxChannels = 32;
const sampleRateRangeHz = { min: 4_000, max: 384_000 };

/** Reads one sample at a place, as a fraction of full scale. */
type SampleReader = (view: DataView, at: number) => number;

/** ITU-T G.711, A-law. */
function fromALaw(code: number): number {
  const bits = code ^ 0x55;
  const exponent = (bits & 0x70) >> 4;
  const mantissa = bits & 0x0f;
  const value = exponent === 0 ? (mantissa << 4) + 8 : ((mantissa << 4) + 0x108) << (exponent - 1);
  return (bits & 0x80 ? value : -value) / 32_768;
}

/** ITU-T G.711, µ-law. */
function fromMuLaw(code: number): number {
  const bits = ~code & 0xff;
  const value = ((((bits & 0x0f) << 3) + 0x84) << ((bits & 0x70) >> 4)) - 0x84;
  return (bits & 0x80 ? -value : value) / 32_768;
}

function int24(view: DataView, at: number): number {
  return (view.getUint8(at) | (view.getInt16(at + 1, true) << 8)) / 0x80_0000;
}

/** By kind and bits. */
const readers: Readonly<Record<string, SampleReader>> = {
  [`${pcmKind}/8`]: (view, at) => (view.getUint8(at) - 128) / 128,
  [`${pcmKind}/16`]: (view, at) => view.getInt16(at, true) / 0x8000,
  [`${pcmKind}/24`]: int24,
  [`${pcmKind}/32`]: (view, at) => view.getInt32(at, true) / 0x8000_0000,
  [`${floatKind}/32`]: (view, at) => view.getFloat32(at, true),
  [`${floatKind}/64`]: (view, at) => view.getFloat64(at, true),
  [`${aLawKind}/8`]: (view, at) => fromALaw(view.getUint8(at)),
  [`${muLawKind}/8`]: (view, at) => fromMuLaw(view.getUint8(at)),
};

/** The first chunks of these names. A file may have any number of others: they cost nothing but their way. */
interface WavChunks {
  format: Chunk | undefined;
  data: Chunk | undefined;
}

/** Whether a chunk that fits into the file begins at a place. */
function isChunkAt(view: DataView, at: number): boolean {
  if (at + 8 > view.byteLength) return false;
  const isName = [0, 1, 2, 3].every((place) => {
    const byte = view.getUint8(at + place);
    return byte >= 0x20 && byte < 0x7f;
  });
  return isName && at + 8 + view.getUint32(at + 4, true) <= view.byteLength;
}

/** The length of the chunk at a place. Who writes sound while it is made leaves 0 for the samples: then the rest is sound. */
function lengthOf(view: DataView, at: number): number {
  const rest = view.byteLength - at - 8;
  const length = Math.min(view.getUint32(at + 4, true), rest);
  const isOpen = length === 0 && view.getUint32(at) === dataName && !isChunkAt(view, at + 8);
  return isOpen ? rest : length;
}

/** Places of the chunks; a length beyond the file's end (a header written before its data) is cut to it. */
function chunksOf(view: DataView): WavChunks {
  const chunks: WavChunks = { format: undefined, data: undefined };
  for (let at = 12; at + 8 <= view.byteLength && !(chunks.format && chunks.data);) {
    const name = view.getUint32(at);
    const length = lengthOf(view, at);
    if (name === formatName) chunks.format ??= { at: at + 8, length };
    if (name === dataName) chunks.data ??= { at: at + 8, length };
    at += 8 + length + (length % 2);
  }
  return chunks;
}

function formatOf(view: DataView, chunk: Chunk | undefined): WavFormat {
  if (!chunk || chunk.length < 16) throw new AudioError("broken", "The WAV file has no valid format chunk.");
  const { at, length } = chunk;
  const tag = view.getUint16(at, true);
  // The first two bytes of the sub-format are the tag of the format.
  const kind = tag === extensibleKind && length >= 26 ? view.getUint16(at + 24, true) : tag;
  const format = {
    kind,
    channels: view.getUint16(at + 2, true),
    sampleRateHz: view.getUint32(at + 4, true),
    bits: view.getUint16(at + 14, true),
  };
  const { min, max } = sampleRateRangeHz;
  const possible = format.channels >= 1 && format.channels <= maxChannels && format.bits >= 1;
  if (!possible || format.sampleRateHz < min || format.sampleRateHz > max)
    throw new AudioError("broken", "The WAV file's format is not valid.");
  return format;
}

function toInt16(value: number): number {
  // What is no number counts as silence.
  return Math.round(Math.max(-1, Math.min(0x7fff / 0x8000, value || 0)) * 0x8000);
}

/** Reads a WAV file: PCM of 8 to 32 bits, float, A-law, µ-law; any number of channels. Throws AudioError. */
export function decodeWavFile(bytes: Uint8Array, maxSec: number): DecodedAudio {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { format, data } = chunksOf(view);
  const { kind, channels, sampleRateHz, bits } = formatOf(view, format);
  const read = readers[`${kind}/${bits}`];
  if (!read)
    throw new AudioError(
      "unsupported",
      `WAV with format ${kind} and ${bits} bits is not supported; send PCM.`,
    );
  const sampleBytes = bits / 8;
  const length = Math.floor((data?.length ?? 0) / (sampleBytes * channels));
  if (!data || length === 0) throw new AudioError("empty", "The WAV file has no samples.");
  if (length > maxSec * sampleRateHz)
    throw new AudioError("too_long", `The audio is longer than ${maxSec} seconds.`);
  const pcm = new Int16Array(length);
  for (let index = 0; index < length; index++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++)
      sum += read(view, data.at + (index * channels + channel) * sampleBytes);
    pcm[index] = toInt16(sum / channels);
  }
  return { pcm, sampleRateHz };
}

const headerBytes = 44;

/** A WAV file (RIFF, 16-bit PCM, mono) of the samples. */
export function encodeWav(pcm: Int16Array, sampleRateHz: number): Buffer {
  const data = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  const header = Buffer.alloc(headerBytes);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(headerBytes - 8 + data.length, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRateHz, 24);
  header.writeUInt32LE(sampleRateHz * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}
