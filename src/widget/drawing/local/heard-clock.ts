import type { PuppetParams } from "../../../puppet/index.ts";
import type { AnnouncedSpeech, HeardLink, SoundDelay } from "./sound-delay.ts";
import { VoiceClock } from "./voice-clock.ts";

/** How long sound is held back, until that is known. */
export const usualDelayMs = 60;

/** The face's clock on a peer connection. What measures how late its sound is heard is loaded when the face is drawn already. */
export class HeardClock {
  readonly #clock = new VoiceClock();
  readonly #connection: HeardLink;
  readonly #speak: ConstructorParameters<typeof SoundDelay>[2];
  #delay: SoundDelay | null = null;
  #speech: AnnouncedSpeech | null = null;
  #isClosed = false;

  /** `speak` gets what the face is to say, and the time at which that should have been announced. */
  constructor(connection: HeardLink, speak: ConstructorParameters<typeof SoundDelay>[2]) {
    this.#connection = connection;
    this.#speak = speak;
    this.#clock.delayMs = usualDelayMs;
    this.listen();
  }

  /** Listens to the connection's present sound. */
  listen(): void {
    if (this.#delay) this.#delay.listen();
    // If it cannot be loaded, it is tried again with the next connection.
    else void this.#load().catch(() => undefined);
  }

  /** A speech begins; null: what was said is stopped. */
  announce(speech: AnnouncedSpeech | null): void {
    this.#speech = speech;
    this.#delay?.announce(speech);
  }

  /** The face's time now. */
  step(pageMs: number): number {
    this.#delay?.hear(pageMs);
    return this.#clock.at(pageMs);
  }

  /** The pose of a face, with a mouth that follows the sound where nothing else is known of it. */
  withMouth(pose: PuppetParams): PuppetParams {
    return this.#delay?.withMouth(pose) ?? pose;
  }

  close(): void {
    this.#isClosed = true;
    this.#delay?.close();
  }

  async #load(): Promise<void> {
    const { SoundDelay } = await import("./sound-delay.ts");
    if (this.#isClosed || this.#delay) return;
    this.#delay = new SoundDelay(this.#connection, this.#clock, this.#speak);
    if (this.#speech) this.#delay.announce(this.#speech);
  }
}
