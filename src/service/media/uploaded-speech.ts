import type { FileChannelEvents } from "./file-channel.ts";
import type { SpeechOutcome, UploadedAudio } from "./media-engine.ts";
import type { Pending } from "./order-book.ts";
import { SessionFiles } from "./session-files.ts";
import type { SpeechPlayer, SpeechSource } from "./speech-player.ts";

/** What uploads need from their session. */
export interface UploadedSpeechOptions {
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
