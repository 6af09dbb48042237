import { AudioError, type DecodedAudio } from "../decoded-audio.ts";
import { GrowingPcm } from "../growing-pcm.ts";

/** The bytes ended before what was to be read. */
class OutOfBits extends Error {}

/** Reads bits, the most significant first. Throws OutOfBits. */
class BitReader {
  readonly #bytes: Uint8Array;
  /** In bits. */
  #at: number;

  constructor(bytes: Uint8Array, startByte: number) {
    this.#bytes = bytes;
    this.#at = 8 * startByte;
  }

  #byte(): number {
    const byte = this.#bytes[this.#at >> 3];
    if (byte === undefined) throw new OutOfBits();
    return byte;
  }

  /** A number without a sign, of at most 36 bits. */
  unsigned(bits: number): number {
    let value = 0;
    for (let left = bits; left > 0;) {
      const inByte = 8 - (this.#at & 7);
      const taken = Math.min(left, inByte);
      value = value * (1 << taken) + ((this.#byte() >> (inByte - taken)) & ((1 << taken) - 1));
      this.#at += taken;
      left -= taken;
    }
    return value;
  }

  /** A number in two's complement, of at most 32 bits. */
  signed(bits: number): number {
    const value = this.unsigned(bits);
    return bits > 0 && value >= 2 ** (bits - 1) ? value - 2 ** bits : value;
  }

  /** The number of zeros before the next one. */
  zeros(): number {
    for (let count = 0; ;) {
      const passed = this.#at & 7;
      const rest = this.#byte() & (0xff >> passed);
      const found = Math.clz32(rest) - 24 - passed;
      if (rest !== 0) {
        this.#at += found + 1;
        return count + found;
      }
      this.#at += 8 - passed;
      count += 8 - passed;
    }
  }

  toNextByte(): void {
    this.#at = 8 * Math.ceil(this.#at / 8);
  }
}

/** Coefficients of the fixed predictors, the last sample's first (RFC 9639, section 9.2.5). */
const fixedPredictors: readonly (readonly number[])[] = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]];

function broken(): AudioError {
  return new AudioError("broken", "The FLAC file cannot be decoded.");
}

/** Differences from the prediction, behind the first samples (section 9.2.7). */
function readResidual(reader: BitReader, samples: Int32Array, order: number): void {
  const method = reader.unsigned(2);
  if (method > 1) throw broken();
  const parameterBits = 4 + method;
  const partitions = 1 << reader.unsigned(4);
  const each = samples.length / partitions;
  if (!Number.isInteger(each) || each < order) throw broken();
  let at = order;
  for (let partition = 1; partition <= partitions; partition++) {
    const parameter = reader.unsigned(parameterBits);
    const end = partition * each;
    if (parameter === (1 << parameterBits) - 1) {
      const bits = reader.unsigned(5);
      while (at < end) samples[at++] = reader.signed(bits);
    }
    while (at < end) {
      const folded = reader.zeros() * 2 ** parameter + reader.unsigned(parameter);
      samples[at++] = folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
    }
  }
}

/** Adds the prediction from the samples before, in place. */
function predict(samples: Int32Array, coefficients: readonly number[], shift: number): void {
  const order = coefficients.length;
  const scale = 2 ** shift;
  for (let at = order; at < samples.length; at++) {
    let sum = 0;
    for (let index = 0; index < order; index++) sum += coefficients[index]! * samples[at - 1 - index]!;
    samples[at] = samples[at]! + Math.floor(sum / scale);
  }
}

function readPredicted(reader: BitReader, samples: Int32Array, bits: number, type: number): void {
  const isFixed = type < 32;
  const order = isFixed ? type - 8 : type - 31;
  if (order > samples.length) throw broken();
  for (let at = 0; at < order; at++) samples[at] = reader.signed(bits);
  let coefficients = fixedPredictors[order];
  let shift = 0;
  if (!isFixed) {
    const precision = reader.unsigned(4) + 1;
    shift = reader.signed(5);
    coefficients = Array.from({ length: order }, () => reader.signed(precision));
    if (precision > 15 || shift < 0) throw broken();
  }
  readResidual(reader, samples, order);
  predict(samples, coefficients ?? [], shift);
}

/** Reads the samples of one channel of a frame (section 9.2). Throws AudioError, OutOfBits. */
function readSubframe(reader: BitReader, samples: Int32Array, sampleBits: number): void {
  const zero = reader.unsigned(1);
  const type = reader.unsigned(6);
  const wasted = reader.unsigned(1) === 1 ? reader.zeros() + 1 : 0;
  const bits = sampleBits - wasted;
  const isKnown = type <= 1 || (type >= 8 && type <= 12) || type >= 32;
  if (zero !== 0 || bits < 1 || !isKnown) throw broken();
  if (type === 0) samples.fill(reader.signed(bits));
  else if (type === 1) for (let at = 0; at < samples.length; at++) samples[at] = reader.signed(bits);
  else readPredicted(reader, samples, bits, type);
  if (wasted > 0) for (let at = 0; at < samples.length; at++) samples[at] = samples[at]! << wasted;
}

/** What the block STREAMINFO says (RFC 9639, section 8.2), and where the frames begin. */
interface FlacStream {
  sampleRateHz: number;
  channels: number;
  bits: number;
  framesAt: number;
}

/** More than speech needs, so that what a small file unpacks to stays small. */
const limits = { sampleRateHz: 96_000, channels: 2, bits: 24 };

/** The kinds of stereo (section 9.1.3): which channels are the difference of both. */
const leftAndSide = 8;
const sideAndRight = 9;
const midAndSide = 10;

function streamOf(bytes: Uint8Array): FlacStream {
  const fields = new BitReader(bytes, 18);
  const sampleRateHz = fields.unsigned(20);
  const channels = fields.unsigned(3) + 1;
  const bits = fields.unsigned(5) + 1;
  let at = 4;
  for (let isLast = false; !isLast;) {
    const header = new BitReader(bytes, at);
    isLast = header.unsigned(1) === 1;
    const type = header.unsigned(7);
    if (at === 4 && type !== 0) throw new AudioError("broken", "The FLAC file has no stream information.");
    at += 4 + header.unsigned(24);
  }
  if (sampleRateHz > limits.sampleRateHz || channels > limits.channels || bits > limits.bits)
    throw new AudioError(
      "unsupported",
      `FLAC is supported up to ${limits.sampleRateHz} Hz, ${limits.channels} channels and ${limits.bits} bits.`,
    );
  if (sampleRateHz === 0 || bits < 4) throw new AudioError("broken", "The FLAC file's format is not valid.");
  return { sampleRateHz, channels, bits, framesAt: at };
}

/** How many samples a frame has, by its code (section 9.1.1). */
function blockSizeOf(reader: BitReader, code: number): number {
  if (code === 6) return reader.unsigned(8) + 1;
  if (code === 7) return reader.unsigned(16) + 1;
  if (code === 1) return 192;
  return code < 6 ? 576 << (code - 2) : 256 << (code - 8);
}

/** Reads a frame's header (section 9.1). Undefined where none begins. */
function frameHeader(reader: BitReader): { length: number; assignment: number } | undefined {
  if (reader.unsigned(15) !== 0x7ffc) return undefined;
  reader.unsigned(1);
  const sizeCode = reader.unsigned(4);
  const rateCode = reader.unsigned(4);
  const assignment = reader.unsigned(4);
  reader.unsigned(4);
  // The frame's number, coded as a character of UTF-8 is.
  for (let first = reader.unsigned(8); (first & 0xc0) === 0xc0; first = (first << 1) & 0xff)
    reader.unsigned(8);
  const length = blockSizeOf(reader, sizeCode);
  if (rateCode >= 12) reader.unsigned(rateCode === 12 ? 8 : 16);
  reader.unsigned(8);
  return sizeCode === 0 ? undefined : { length, assignment };
}

/** The sum of both channels, in place of the first. */
function addChannels(first: Int32Array, second: Int32Array, assignment: number): void {
  for (let at = 0; at < first.length; at++) {
    const [a, b] = [first[at]!, second[at]!];
    if (assignment === leftAndSide) first[at] = 2 * a - b;
    else if (assignment === sideAndRight) first[at] = 2 * b + a;
    else if (assignment === midAndSide) first[at] = 2 * a + (b & 1);
    else first[at] = a + b;
  }
}

/** The next frame's samples, mixed into one channel; undefined at the end. Throws AudioError, OutOfBits. */
function nextFrame(reader: BitReader, { channels, bits }: FlacStream): Int16Array | undefined {
  const header = frameHeader(reader);
  if (!header) return undefined;
  const { length, assignment } = header;
  const inFrame = assignment < leftAndSide ? assignment + 1 : 2;
  if (inFrame !== channels || assignment > midAndSide)
    throw new AudioError("broken", "The FLAC file's channels are not valid.");
  const [first, second] = [new Int32Array(length), new Int32Array(channels === 2 ? length : 0)];
  readSubframe(reader, first, assignment === sideAndRight ? bits + 1 : bits);
  if (channels === 2) {
    const hasSide = assignment === leftAndSide || assignment === midAndSide;
    readSubframe(reader, second, hasSide ? bits + 1 : bits);
    addChannels(first, second, assignment);
  }
  reader.toNextByte();
  reader.unsigned(16);
  const scale = 2 ** (16 - bits) / channels;
  const pcm = new Int16Array(length);
  for (let at = 0; at < length; at++)
    pcm[at] = Math.max(-0x8000, Math.min(0x7fff, Math.round(first[at]! * scale)));
  return pcm;
}

/** Reads a FLAC file (RFC 9639), as far as it goes. Checksums are not compared. Throws AudioError. */
export function decodeFlac(bytes: Uint8Array, maxSec: number): DecodedAudio {
  let all: GrowingPcm | undefined;
  try {
    const stream = streamOf(bytes);
    const reader = new BitReader(bytes, stream.framesAt);
    all = new GrowingPcm(stream.sampleRateHz, maxSec);
    for (let frame = nextFrame(reader, stream); frame; frame = nextFrame(reader, stream)) all.add(frame);
  } catch (error) {
    if (!(error instanceof OutOfBits)) throw error;
  }
  if (!all?.length) throw new AudioError("broken", "The FLAC file has no frame that can be decoded.");
  return all.audioFrom(0);
}
