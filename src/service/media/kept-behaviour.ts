import { createPuppetBehaviour, type Activity, type Behaviour, type Character } from "../../puppet/index.ts";
import type { PuppetParams, SpeechTimeline } from "../../puppet/index.ts";

interface Spoken {
  timeline: SpeechTimeline;
  startMs: number;
}

/** A behaviour that stays the same when its character changes: another face goes on amid the word, in the same mood. */
export class KeptBehaviour implements Behaviour {
  readonly #seed: number;
  #behaviour: Behaviour;
  #activity: Activity = "idle";
  #isReduced = false;
  /** What is being said, and what follows it; a timeline that has ended is dropped with the next one. */
  #spoken: Spoken[] = [];

  /** The same `seed` and calls give the same motion. */
  constructor(character: Character, seed: number) {
    this.#seed = seed;
    this.#behaviour = createPuppetBehaviour(character, { seed });
  }

  /** From now on it is this character's. */
  changeCharacter(character: Character): void {
    this.#behaviour = createPuppetBehaviour(character, { seed: this.#seed, reducedMotion: this.#isReduced });
    this.#behaviour.setActivity(this.#activity);
    for (const { timeline, startMs } of this.#spoken) this.#behaviour.speak(timeline, startMs);
  }

  step(nowMs: number): PuppetParams {
    return this.#behaviour.step(nowMs);
  }

  setActivity(activity: Activity): void {
    this.#activity = activity;
    this.#behaviour.setActivity(activity);
  }

  setReducedMotion(reduced: boolean): void {
    this.#isReduced = reduced;
    this.#behaviour.setReducedMotion(reduced);
  }

  speak(timeline: SpeechTimeline, startMs: number): void {
    this.#spoken = this.#spoken.filter((earlier) => endMs(earlier) > startMs);
    this.#spoken.push({ timeline, startMs });
    this.#behaviour.speak(timeline, startMs);
  }

  stopSpeaking(nowMs: number): void {
    this.#spoken = [];
    this.#behaviour.stopSpeaking(nowMs);
  }
}

function endMs({ timeline, startMs }: Spoken): number {
  return startMs + (timeline.visemes.at(-1)?.end ?? 0);
}
