/** A format of audio files that is known by its first bytes and not decoded here; some engines read it themselves. */
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
