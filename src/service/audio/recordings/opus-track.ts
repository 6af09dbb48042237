import { AudioError, type DecodedAudio } from "../decoded-audio.ts";
import { GrowingPcm } from "../growing-pcm.ts";

/** What a file of some container says of its Opus audio. */
export interface OpusTrack {
  /** Samples at the beginning, at 48 kHz, that are no sound. */
  preSkip: number;
  /** In order, read as they are asked for: a small file may claim any number of them. */
  packets: Iterable<Uint8Array>;
}

/** More than two channels come in several streams, which recorders do not write. Throws AudioError. */
function requireFewChannels(channels: number, mappingFamily: number): void {
  if (mappingFamily === 0 && (channels === 1 || channels === 2)) return;
  throw new AudioError(
    "unsupported",
    "Opus with more than 2 channels is not supported; send 1 or 2 channels.",
  );
}

/** The header `OpusHead` of Ogg and WebM (RFC 7845, section 5.1): its pre-skip. Throws AudioError. */
export function preSkipOfHead(head: Uint8Array): number {
  if (head.length < 19) throw new AudioError("broken", "The file's Opus header is not complete.");
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  requireFewChannels(view.getUint8(9), view.getUint8(18));
  return view.getUint16(10, true);
}

/** The box `dOps` of MP4 (Encapsulation of Opus in ISO Base Media File Format, 4.3.2): its pre-skip. Throws AudioError. */
export function preSkipOfBox(box: Uint8Array): number {
  if (box.length < 11) throw new AudioError("broken", "The file's Opus header is not complete.");
  const view = new DataView(box.buffer, box.byteOffset, box.byteLength);
  requireFewChannels(view.getUint8(1), view.getUint8(10));
  return view.getUint16(2);
}

const sampleRateHz = 48_000;

/** 120 ms in 48 frames of 1,275 bytes, with their lengths (RFC 6716, section 3.4). */
const packetMaxBytes = 61_500;

/** Decodes Opus into one channel, as libopus mixes it. The decoder is loaded when first needed. Throws AudioError. */
export async function decodeOpus({ preSkip, packets }: OpusTrack, maxSec: number): Promise<DecodedAudio> {
  const { createDecoder, OpusError } = await import("libopus-wasm");
  const decoder = await createDecoder({ channels: 1, sampleRate: sampleRateHz });
  const all = new GrowingPcm(sampleRateHz, maxSec);
  try {
    for (const packet of packets) {
      if (packet.length === 0) continue;
      if (packet.length > packetMaxBytes) throw new AudioError("broken", "An Opus packet is too long.");
      all.add(decoder.decode(packet));
    }
  } catch (error) {
    if (!(error instanceof OpusError)) throw error;
    throw new AudioError("broken", "The file's Opus audio cannot be decoded.", { cause: error });
  } finally {
    decoder.free();
  }
  if (all.length <= preSkip) throw new AudioError("empty", "The file has no sound.");
  return all.audioFrom(preSkip);
}
