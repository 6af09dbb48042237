import {
  createPuppetBehaviour,
  type Activity,
  type Behaviour,
  type MovingCharacter,
} from "../../../puppet/index.ts";
import type { Expression, Mood, PuppetParams, SpeechTimeline } from "../../../puppet/index.ts";

interface Spoken {
  timeline: SpeechTimeline;
  startMs: number;
}

/**
 * A behaviour that survives a change of character and a rest: the face continues the current word and activity. It rests until the
 * first step, and then costs nothing.
 */
export class KeptBehaviour implements Behaviour {
  readonly #seed: number;
  #character: MovingCharacter;
  /** Undefined while it rests. */
  #behaviour: Behaviour | undefined;
  #activity: Activity = "idle";
  #activityUntilMs: number | undefined;
  #isReduced = false;
  /** The current and the following utterances. A finished timeline is dropped when the next one is added. */
  #spoken: Spoken[] = [];

  /** The same `seed` and calls give the same motion. */
  constructor(character: MovingCharacter, seed: number) {
    this.#seed = seed;
    this.#character = character;
  }

  /** Continues with another character. */
  changeCharacter(character: MovingCharacter): void {
    this.#character = character;
    this.rest();
  }

  /** Nobody sees it until the next step. */
  rest(): void {
    this.#behaviour = undefined;
  }

  step(nowMs: number): PuppetParams {
    this.#behaviour ??= this.#begun();
    return this.#behaviour.step(nowMs);
  }

  setActivity(activity: Activity, untilMs?: number): void {
    this.#activity = activity;
    this.#activityUntilMs = untilMs;
    this.#behaviour?.setActivity(activity, untilMs);
  }

  setReducedMotion(reduced: boolean): void {
    this.#isReduced = reduced;
    this.#behaviour?.setReducedMotion(reduced);
  }

  speak(timeline: SpeechTimeline, startMs: number): void {
    this.#spoken = this.#spoken.filter((earlier) => endMs(earlier) > startMs);
    this.#spoken.push({ timeline, startMs });
    this.#behaviour?.speak(timeline, startMs);
    this.#activity = "idle";
  }

  prepareToSpeak(nowMs: number): void {
    this.#behaviour?.prepareToSpeak(nowMs);
  }

  hearVoice(nowMs: number, isVoice: boolean): void {
    this.#behaviour?.hearVoice(nowMs, isVoice);
  }

  hearWords(nowMs: number, text: string): void {
    this.#behaviour?.hearWords(nowMs, text);
  }

  setMood(mood: Mood, nowMs: number): void {
    this.#behaviour?.setMood(mood, nowMs);
  }

  express(expression: Expression, nowMs: number): void {
    this.#behaviour?.express(expression, nowMs);
  }

  stopSpeaking(nowMs: number): void {
    this.#spoken = [];
    this.#behaviour?.stopSpeaking(nowMs);
  }

  #begun(): Behaviour {
    const behaviour = createPuppetBehaviour(this.#character, {
      seed: this.#seed,
      reducedMotion: this.#isReduced,
    });
    behaviour.setActivity(this.#activity, this.#activityUntilMs);
    for (const { timeline, startMs } of this.#spoken) behaviour.speak(timeline, startMs);
    return behaviour;
  }
}

function endMs({ timeline, startMs }: Spoken): number {
  return startMs + (timeline.visemes.at(-1)?.end ?? 0);
}
