import type { Character } from "../format/character.ts";
import { clamp } from "../math.ts";
import type { PuppetParams } from "../params.ts";
import { Accents } from "./accents.ts";
import { Blinking } from "./blinking.ts";
import { Gaze } from "./gaze.ts";
import { Glide } from "./glide.ts";
import { HeadMotion } from "./head-motion.ts";
import type { Activity, Pose } from "./poses.ts";
import { poses } from "./poses.ts";
import { createRandom } from "./random.ts";
import { SpeakingMouth } from "./speaking-mouth.ts";
import type { SpeechTimeline } from "./speech-timeline.ts";
import { SwaySpring } from "./sway-spring.ts";

/** The life of a character: what its face does at any moment. All times are of one clock, in ms, that never goes back. */
export interface Behaviour {
  /** The pose for this moment. Call it once a frame. */
  step(nowMs: number): PuppetParams;
  /** Says what the avatar is doing. While an utterance plays, it is speaking whatever was set. */
  setActivity(activity: Activity): void;
  /** Under reduced motion head, hair and eyes keep still and blinks are rare; the mouth still speaks. */
  setReducedMotion(reduced: boolean): void;
  /** Speaks an utterance whose sound begins at `startMs`; it replaces what earlier ones had from there on. */
  speak(timeline: SpeechTimeline, startMs: number): void;
  /** Breaks off what is being said; the mouth comes to rest within 90 ms. */
  stopSpeaking(nowMs: number): void;
}

/** How the behaviour differs from one avatar to the next. */
export interface BehaviourOptions {
  /** The same seed and calls give the same motion. */
  readonly seed?: number;
  readonly reducedMotion?: boolean;
}

const breathMs = 4200;
const speakingBreathMs = 3300;

/** Under reduced motion the chest stays where it is between breaths. */
const heldBreath = 0.3;

/** Eyes stay on the visitor while the head turns. */
const counterGaze = 0.5;

/** Brings a character to life: idle motion, speech, and the poses of a conversation. */
export function createPuppetBehaviour(
  character: Character,
  { seed = 1, reducedMotion = false }: BehaviourOptions = {},
): Behaviour {
  return new PuppetBehaviour(character, seed, reducedMotion);
}

class PuppetBehaviour implements Behaviour {
  readonly #mouth: SpeakingMouth;
  readonly #accents: Accents;
  readonly #blinking: Blinking;
  readonly #gaze: Gaze;
  readonly #head: HeadMotion;
  readonly #sway: SwaySpring;
  readonly #smile = new Glide(500);
  readonly #browRaise = new Glide(260);
  readonly #browConcern = new Glide(400);
  #activity: Activity = "idle";
  #reduced: boolean;
  #lastMs: number | undefined;
  #breathPhase = 0;

  constructor(character: Character, seed: number, reduced: boolean) {
    this.#mouth = new SpeakingMouth(character);
    this.#accents = new Accents(createRandom(seed));
    this.#blinking = new Blinking(createRandom(seed + 1));
    this.#gaze = new Gaze(createRandom(seed + 2));
    this.#head = new HeadMotion(seed);
    this.#sway = new SwaySpring(character.rig.sway);
    this.#reduced = reduced;
  }

  setActivity(activity: Activity): void {
    this.#activity = activity;
  }

  setReducedMotion(reduced: boolean): void {
    this.#reduced = reduced;
  }

  speak({ visemes, words }: SpeechTimeline, startMs: number): void {
    this.#mouth.speak(visemes, startMs);
    this.#accents.speak(words, startMs);
  }

  stopSpeaking(nowMs: number): void {
    this.#mouth.stop(nowMs);
    this.#accents.stop(nowMs);
  }

  step(nowMs: number): PuppetParams {
    const elapsedMs = Math.max(0, nowMs - (this.#lastMs ?? nowMs));
    this.#lastMs = nowMs;
    const speaking = this.#mouth.isSpeaking(nowMs);
    const pose = poses[speaking ? "speaking" : this.#activity];
    const stress = this.#accents.at(nowMs);
    const head = this.#head.step(nowMs, elapsedMs, pose, stress.headNod, this.#reduced);
    const sway = this.#sway.step(head, elapsedMs);
    const look = this.#gaze.at(nowMs, pose, this.#reduced);
    return {
      visemeWeights: this.#mouth.at(nowMs),
      ...this.#expression(pose, elapsedMs, stress.browRaise),
      ...head,
      ...(this.#reduced ? {} : sway),
      gazeX: clamp(look.x - head.headTurn * counterGaze, -1, 1),
      gazeY: clamp(look.y - head.headNod * counterGaze, -1, 1),
      blink: this.#blinking.at(nowMs, this.#reduced),
      breath: this.#breath(elapsedMs, speaking),
    };
  }

  #expression(
    pose: Pose,
    elapsedMs: number,
    stress: number,
  ): Pick<PuppetParams, "smile" | "browRaise" | "browConcern"> {
    const part = this.#reduced ? 0.5 : 1;
    return {
      smile: this.#smile.step(pose.smile, elapsedMs),
      browRaise: clamp(this.#browRaise.step(pose.browRaise, elapsedMs) + stress * part),
      browConcern: this.#browConcern.step(pose.browConcern, elapsedMs),
    };
  }

  #breath(elapsedMs: number, speaking: boolean): number {
    if (this.#reduced) return heldBreath;
    this.#breathPhase += elapsedMs / (speaking ? speakingBreathMs : breathMs);
    return 0.5 - 0.5 * Math.cos(2 * Math.PI * this.#breathPhase);
  }
}
