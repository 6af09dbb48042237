import { randomUUID } from "node:crypto";
import type { FileChannelEvents } from "./file-channel.ts";
import type { SpeechOutcome, UploadedAudio } from "../media-engine.ts";
import type { Pending } from "../processes/order-book.ts";
import type { SpeechPlayer, SpeechSource } from "../speech/speech-player.ts";

/** Limits for the uploads of one session. */
const keptMaxFiles = 16;
const keptMaxBytes = 20 * 1024 * 1024;

interface KeptFile {
  bytes: Uint8Array;
  /** How many waiting utterances need it. */
  users: number;
}

/** A file in use: it is kept until it is released. */
interface HeldFile {
  bytes: Uint8Array;
  release(): void;
}

/** The files that a session's client uploaded. When there are too many, the least recently used are dropped first. */
export class SessionFiles {
  /** In the order they were uploaded or last used. */
  readonly #files = new Map<string, KeptFile>();

  /** Stores a file. Returns its reference, or undefined while files that still have to be played take all the room. */
  keep(bytes: Uint8Array): string | undefined {
    const unused = [...this.#files].filter(([, { users }]) => users === 0);
    for (const [reference] of unused) {
      if (this.#hasRoomFor(bytes)) break;
      this.#files.delete(reference);
    }
    if (!this.#hasRoomFor(bytes)) return undefined;
    const reference = `file-${randomUUID()}`;
    this.#files.set(reference, { bytes, users: 0 });
    return reference;
  }

  /** The file of a reference, which the caller must release once; undefined if it does not exist. */
  hold(reference: string): HeldFile | undefined {
    const file = this.#files.get(reference);
    if (!file) return undefined;
    this.#files.delete(reference);
    this.#files.set(reference, file);
    file.users++;
    return { bytes: file.bytes, release: () => (file.users -= 1) };
  }

  /** Drops all files. */
  clear(): void {
    this.#files.clear();
  }

  #hasRoomFor(bytes: Uint8Array): boolean {
    const taken = [...this.#files.values()].reduce((sum, file) => sum + file.bytes.length, 0);
    return this.#files.size < keptMaxFiles && taken + bytes.length <= keptMaxBytes;
  }
}

/** What uploads need from their session. */
interface UploadedSpeechOptions {
  /** Requests the speech of an upload. */
  lipSync(upload: UploadedAudio): Pending<SpeechOutcome>;
  /** An upload failed. */
  onFault(detail: string): void;
}

const unknownFile: SpeechOutcome = {
  ok: false,
  code: "invalid_audio",
  detail: "There is no file with this reference. Upload it again.",
};

/** A session's uploaded files. They are played in the same queue as all other speech. */
export class UploadedSpeech implements FileChannelEvents {
  readonly #files = new SessionFiles();
  readonly #player: SpeechPlayer;
  readonly #options: UploadedSpeechOptions;

  constructor(player: SpeechPlayer, options: UploadedSpeechOptions) {
    this.#player = player;
    this.#options = options;
  }

  keep(bytes: Uint8Array): string | undefined {
    return this.#files.keep(bytes);
  }

  onFault(detail: string): void {
    this.#options.onFault(detail);
  }

  /** Queues an uploaded file. An unknown file fails when its turn comes. */
  play(request: { message: string; file_ref: string; format: UploadedAudio["format"] }): void {
    this.#player.play(request.message, this.#source(request));
  }

  /** Drops all files. */
  clear(): void {
    this.#files.clear();
  }

  #source({ message, file_ref, format }: Parameters<UploadedSpeech["play"]>[0]): SpeechSource {
    const file = this.#files.hold(file_ref);
    if (!file)
      return { request: () => ({ outcome: Promise.resolve(unknownFile), abandon: () => undefined }) };
    return {
      request: () => this.#options.lipSync({ message, format, bytes: file.bytes }),
      release: () => file.release(),
    };
  }
}
