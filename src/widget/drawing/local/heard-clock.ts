import type { AnnouncedSpeech, HeardLink, SoundDelay } from "./sound-delay.ts";
import { VoiceClock } from "./voice-clock.ts";

/** How long sound is held back, until that is known. */
export const usualDelayMs = 60;

/** The face's clock on a peer connection. What measures how late its sound is heard is loaded when the face is drawn already. */
export class HeardClock {
  readonly #clock = new VoiceClock();
  readonly #connection: HeardLink;
  readonly #handleLate: (speech: AnnouncedSpeech) => void;
  #delay: SoundDelay | null = null;
  #speech: AnnouncedSpeech | null = null;
  #isClosed = false;

  /** `handleLate` gets a speech that had begun before it was announced, with the time at which it should have been. */
  constructor(connection: HeardLink, handleLate: (speech: AnnouncedSpeech) => void) {
    this.#connection = connection;
    this.#handleLate = handleLate;
    this.#clock.delayMs = usualDelayMs;
    this.listen();
  }

  /** Listens to the connection's present sound. */
  listen(): void {
    if (this.#delay) this.#delay.listen();
    // If it cannot be loaded, it is tried again with the next connection.
    else void this.#load().catch(() => undefined);
  }

  /** A speech begins. */
  announce(speech: AnnouncedSpeech): void {
    this.#speech = speech;
    this.#delay?.announce(speech);
  }

  /** The face's time now. */
  step(pageMs: number): number {
    this.#delay?.hear(pageMs);
    return this.#clock.at(pageMs);
  }

  close(): void {
    this.#isClosed = true;
    this.#delay?.close();
  }

  async #load(): Promise<void> {
    const { SoundDelay } = await import("./sound-delay.ts");
    if (this.#isClosed || this.#delay) return;
    this.#delay = new SoundDelay(this.#connection, this.#clock, this.#handleLate);
    if (this.#speech) this.#delay.announce(this.#speech);
  }
}
