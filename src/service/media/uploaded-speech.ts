import type { FileChannelEvents } from "./file-channel.ts";
import type { SpeechOutcome, UploadedAudio } from "./media-engine.ts";
import type { Pending } from "./order-book.ts";
import { SessionFiles } from "./session-files.ts";
import type { SpeechPlayer, SpeechSource } from "./speech-player.ts";

/** What uploads need of their session. */
export interface UploadedSpeechOptions {
  /** Asks for an upload as speech. */
  lipSync(upload: UploadedAudio): Pending<SpeechOutcome>;
  /** An upload failed. */
  onFault(detail: string): void;
}

const unknownFile: SpeechOutcome = {
  ok: false,
  code: "invalid_audio",
  detail: "There is no file of this reference.",
};

/** A session's uploaded files, and their playing in turn with everything else that is said. */
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

  /** Queues an uploaded file. One that is unknown fails in its turn. */
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
