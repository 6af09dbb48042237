import type { HttpLink } from "../../../client/http-voice/http-link.ts";
import type { PuppetParams } from "../../../puppet/index.ts";
import { VoiceClock } from "./voice-clock.ts";

/** Keeps the face's clock in time with sentences that are played one by one: the player knows where it is. */
export class SentenceClock {
  readonly #clock = new VoiceClock();
  readonly #link: HttpLink;

  constructor(link: HttpLink) {
    this.#link = link;
  }

  /** The face's time now. */
  step(pageMs: number): number {
    this.#clock.delayMs = this.#link.lagMs;
    return this.#clock.at(pageMs);
  }

  /** The player needs no notice. */
  announce(): void {
    return;
  }

  /** The player knows the mouth shapes of what it plays. */
  withMouth(pose: PuppetParams): PuppetParams {
    return pose;
  }

  close(): void {
    return;
  }
}
