import { AudioError, type DecodedAudio } from "./decoded-audio.ts";
import { decodeFlac } from "./recordings/flac-file.ts";
import { decodeMp3 } from "./recordings/mp3-file.ts";
import { decodeWavFile } from "./wav-file.ts";
import { decodeOpus, type OpusTrack } from "./recordings/opus-track.ts";
import { opusOfMp4 } from "./recordings/mp4-file.ts";
import { opusOfOgg } from "./recordings/ogg-file.ts";
import { opusOfWebm } from "./recordings/webm-file.ts";

/** A format of audio files, neither WAV nor MP3, that is known by its first bytes; some engines read it themselves. */
export interface AudioContainer {
  /** As people call it. */
  name: string;
  /** Of a file's name; servers tell formats by it. */
  extension: string;
  mediaType: string;
}

const containers: readonly (readonly [offset: number, mark: string, container: AudioContainer])[] = [
  [0, "OggS", { name: "Ogg", extension: "ogg", mediaType: "audio/ogg" }],
  [0, "fLaC", { name: "FLAC", extension: "flac", mediaType: "audio/flac" }],
  [4, "ftyp", { name: "MP4", extension: "m4a", mediaType: "audio/mp4" }],
  [0, "\x1aE\xdf\xa3", { name: "WebM", extension: "webm", mediaType: "audio/webm" }],
  [0, "FORM", { name: "AIFF", extension: "aiff", mediaType: "audio/aiff" }],
];

/** The format of a file that is neither WAV nor MP3; null where its first bytes are of none that is known. */
export function audioContainer(bytes: Uint8Array): AudioContainer | null {
  const start = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  const found = containers.find(([offset, mark]) => start.startsWith(mark, offset));
  return found?.[2] ?? null;
}

/** The longest audio that is decoded, in s; what comes small may be hours. */
const audioMaxSec = 600;

function mark(bytes: Uint8Array, offset: number, length: number): string {
  return Buffer.from(bytes.subarray(offset, offset + length)).toString("latin1");
}

/** Formats that are read, for messages. */
export const readableFormats = "WAV, MP3, FLAC, or Ogg, WebM or MP4 with Opus";

/** Whether a file can only be MP3, if it is audio: an ID3 tag, or the eleven set bits that begin a frame. */
export function looksLikeMp3(bytes: Uint8Array): boolean {
  return mark(bytes, 0, 3) === "ID3" || (bytes[0] === 0xff && (bytes[1]! & 0xe0) === 0xe0);
}

/**
 * Reads a WAV, MP3 or FLAC file, told by its bytes, and mixes its channels into one. Synchronous; long MP3 takes seconds, so the
 * service does it in a worker thread (speech/audio/). Throws AudioError: `empty`, `broken`, `unsupported` or `too_long`.
 */
export function decodeAudio(bytes: Uint8Array): DecodedAudio {
  if (bytes.length === 0) throw new AudioError("empty", "The file is empty.");
  if (mark(bytes, 0, 4) === "RIFF" && mark(bytes, 8, 4) === "WAVE") return decodeWavFile(bytes, audioMaxSec);
  if (looksLikeMp3(bytes)) return decodeMp3(bytes, audioMaxSec);
  if (mark(bytes, 0, 4) === "fLaC") return decodeFlac(bytes, audioMaxSec);
  const other = audioContainer(bytes);
  if (other) throw new AudioError("unsupported", `${other.name} is not supported; send ${readableFormats}.`);
  throw new AudioError("broken", `The file is no audio that can be read; send ${readableFormats}.`);
}

/** Formats in which browsers record Opus, by the extension of their files. */
const opusReaders: Readonly<Record<string, (bytes: Uint8Array) => OpusTrack | null>> = {
  ogg: opusOfOgg,
  m4a: opusOfMp4,
  webm: opusOfWebm,
};

/** Reads every format of `readableFormats`, told by its bytes; otherwise as `decodeAudio`. Throws AudioError. */
export async function decodeRecording(bytes: Uint8Array): Promise<DecodedAudio> {
  const container = audioContainer(bytes);
  const opusOf = container && opusReaders[container.extension];
  if (!opusOf) return decodeAudio(bytes);
  const track = opusOf(bytes);
  if (track) return decodeOpus(track, audioMaxSec);
  throw new AudioError(
    "unsupported",
    `This ${container.name} file has no Opus audio; send ${readableFormats}.`,
  );
}
