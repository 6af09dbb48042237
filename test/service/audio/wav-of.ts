/** The properties of a WAV file. */
interface WavShape {
  /** Format tag: 1 PCM, 3 float, 6 A-law, 7 µ-law. */
  kind: number;
  bits: number;
  sampleRateHz: number;
  /** Whether the header has the extensible format. */
  extensible?: boolean;
}

/** G.711 by its definition: the code with the nearest value of all codes. */
function companded(value: number, decode: (code: number) => number): number {
  let best = 0;
  for (let code = 1; code < 256; code++)
    if (Math.abs(decode(code) - value) < Math.abs(decode(best) - value)) best = code;
  return best;
}

/** Segment and step of a G.711 code with its bits in normal order, as full-scale values. */
function muLaw(code: number): number {
  const bits = 255 - code;
  const [segment, step] = [(bits >> 4) & 7, bits & 15];
  const value = (33 + 2 * step) * 2 ** segment - 33;
  return ((bits & 128 ? -1 : 1) * value) / 8_192;
}

function aLaw(code: number): number {
  const bits = code ^ 0x55;
  const [segment, step] = [(bits >> 4) & 7, bits & 15];
  const value = segment === 0 ? 2 * step + 1 : (2 * step + 33) * 2 ** (segment - 1);
  return ((bits & 128 ? 1 : -1) * value) / 4_096;
}

function writeSample(view: DataView, at: number, value: number, { kind, bits }: WavShape): void {
  if (kind === 3 && bits === 32) view.setFloat32(at, value, true);
  else if (kind === 3) view.setFloat64(at, value, true);
  else if (kind === 6) view.setUint8(at, companded(value, aLaw));
  else if (kind === 7) view.setUint8(at, companded(value, muLaw));
  else if (bits === 8) view.setUint8(at, Math.round(value * 127) + 128);
  else {
    const whole = Math.round(value * (2 ** (bits - 1) - 1));
    for (let byte = 0; byte < bits / 8; byte++)
      view.setUint8(at + byte, Math.floor(whole / 256 ** byte) & 255);
  }
}

/** A WAV file of the channels' samples (fractions of full scale). */
export function wavOf(channels: readonly (readonly number[])[], shape: WavShape): Uint8Array {
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
