import { audioContainer } from "./audio-container.ts";
import { AudioError } from "./audio-error.ts";
import type { DecodedAudio } from "./decoded-audio.ts";
import { decodeMp3 } from "./mp3-file.ts";
import { decodeWavFile } from "./wav-file.ts";

/** The longest audio that is decoded, in s; what comes small may be hours. */
export const audioMaxSec = 600;

function mark(bytes: Uint8Array, offset: number, length: number): string {
  return Buffer.from(bytes.subarray(offset, offset + length)).toString("latin1");
}

/** Whether a file can only be MP3, if it is audio: an ID3 tag, or the eleven set bits that begin a frame. */
export function looksLikeMp3(bytes: Uint8Array): boolean {
  return mark(bytes, 0, 3) === "ID3" || (bytes[0] === 0xff && (bytes[1]! & 0xe0) === 0xe0);
}

/**
 * Reads a WAV or MP3 file, told by its bytes, and mixes its channels into one. Synchronous; long MP3 takes seconds, so the
 * service does it in a worker thread (speech/audio/). Throws AudioError: `empty`, `broken`, `unsupported` or `too_long`.
 */
export function decodeAudio(bytes: Uint8Array): DecodedAudio {
  if (bytes.length === 0) throw new AudioError("empty", "The file is empty.");
  if (mark(bytes, 0, 4) === "RIFF" && mark(bytes, 8, 4) === "WAVE") return decodeWavFile(bytes, audioMaxSec);
  if (looksLikeMp3(bytes)) return decodeMp3(bytes, audioMaxSec);
  const other = audioContainer(bytes);
  if (other) throw new AudioError("unsupported", `${other.name} is not supported; send WAV or MP3.`);
  throw new AudioError("broken", "The file is neither WAV nor MP3.");
}
