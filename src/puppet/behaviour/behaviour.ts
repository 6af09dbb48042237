import type { SpeechTimeline } from "./speech-timeline.ts";
import type { MovingCharacter } from "../format/character.ts";
import { clamp } from "../math.ts";
import type { PuppetParams } from "../params.ts";
import { Accents, type Stress } from "./accents.ts";
import { Attitude } from "./attitude.ts";
import { Blinking } from "./blinking.ts";
import { Breath } from "./breath.ts";
import { type Expression, type ExpressionFace, Expressions } from "./expressions.ts";
import { Feeling, isQuestion, type Mood, type MoodFace, spokenSentences } from "./mood.ts";
import { Gaze } from "./gaze.ts";
import { createRandom, Glide, type Random, wander } from "./random.ts";
import { HeadMotion, type HeadPose } from "./head-motion.ts";
import { type Attention, Listening } from "./listening.ts";
import type { Activity, Pose } from "./poses.ts";
import { SpeakingMouth } from "./speaking-mouth.ts";
import { SwaySpring } from "./sway-spring.ts";

/** A shorter silence is part of a word. */
const shortestPauseMs = 110;

/** When the pauses of an utterance begin, in ms from its beginning; its end is one, too. */
export function speechPauses({ visemes }: Pick<SpeechTimeline, "visemes">): number[] {
  const pauses: number[] = [];
  let spokenUntil: number | undefined;
  for (const { viseme, start, end } of [...visemes].sort((a, b) => a.start - b.start)) {
    if (viseme === "sil") continue;
    if (spokenUntil !== undefined && start - spokenUntil >= shortestPauseMs) pauses.push(spokenUntil);
    spokenUntil = Math.max(end, spokenUntil ?? end);
  }
  return spokenUntil === undefined ? [] : [...pauses, spokenUntil];
}

/** The motion of a character: what its face does at any moment. All times are in ms, from one monotonic clock. */
export interface Behaviour {
  /** The pose for this moment. Call it once per frame. */
  step(nowMs: number): PuppetParams;
  /**
   * Sets what the avatar is doing, until `untilMs` if it is given. While an utterance plays, it is "speaking"; after it, "idle"
   * until this is called again.
   */
  setActivity(activity: Activity, untilMs?: number): void;
  /** With reduced motion, head, hair and eyes keep still and blinks are rare; the mouth still speaks. */
  setReducedMotion(reduced: boolean): void;
  /** Speech will begin soon: the eyes return to the visitor. Ends by itself when no speech follows. */
  prepareToSpeak(nowMs: number): void;
  /** Speaks an utterance whose audio begins at `startMs`. It replaces everything that was planned from then on. */
  speak(timeline: SpeechTimeline, startMs: number): void;
  /** Stops the current utterance; the mouth is at rest within 90 ms. */
  stopSpeaking(nowMs: number): void;
  /** Whether the visitor's voice is heard now. Call it every 10 to 100 ms while a microphone is open. */
  hearVoice(nowMs: number, isVoice: boolean): void;
  /** The words of the visitor, as far as they are known. */
  hearWords(nowMs: number, text: string): void;
  /** Sets the mood of the current or next answer; "neutral" leaves it to the words. */
  setMood(mood: Mood, nowMs: number): void;
  /** Shows an expression once. */
  express(expression: Expression, nowMs: number): void;
  /** Moves another character from now on, even within a word. */
  changeCharacter(character: MovingCharacter): void;
}

/** How the behaviour differs from one avatar to the next. */
export interface BehaviourOptions {
  /** The same seed and calls give the same motion. */
  readonly seed?: number;
  readonly reducedMotion?: boolean;
}

/** How much the eyes turn against the head, so that they stay on the visitor. */
export const counterGaze = 0.85;

/** How often the eyes leave the visitor at the beginning of a sentence. */
const thoughtShare = 0.5;

/** How much the rest of the face wanders around its pose. */
const smileDrift = 0.03;
const browDrift = 0.06;

/** The share of the brows' motion that is left with reduced motion. */
const calmShare = 0.5;

/** Creates the motion of a character: idle motion, speech, and the poses of a conversation. */
export function createPuppetBehaviour(
  character: MovingCharacter,
  { seed = 1, reducedMotion = false }: BehaviourOptions = {},
): Behaviour {
  return new PuppetBehaviour(character, seed, reducedMotion);
}

/** What is added to the pose at one moment. */
interface Reactions {
  readonly stress: Stress;
  readonly feeling: MoodFace;
  readonly attention: Attention;
  readonly expression: ExpressionFace;
}

class PuppetBehaviour implements Behaviour {
  readonly #mouth: SpeakingMouth;
  readonly #accents: Accents;
  readonly #blinking: Blinking;
  readonly #gaze: Gaze;
  readonly #head: HeadMotion;
  #sway: SwaySpring;
  readonly #listening: Listening;
  readonly #breath: Breath;
  readonly #random: Random;
  readonly #feeling = new Feeling();
  readonly #expressions = new Expressions();
  readonly #attitude = new Attitude();
  readonly #smile = new Glide(500);
  readonly #browRaise = new Glide(260);
  readonly #browConcern = new Glide(400);
  #reduced: boolean;
  #lastMs: number | undefined;

  constructor(
    character: MovingCharacter,
    private readonly seed: number,
    reduced: boolean,
  ) {
    this.#mouth = new SpeakingMouth(character);
    this.#accents = new Accents(createRandom(seed));
    this.#blinking = new Blinking(createRandom(seed + 1));
    this.#gaze = new Gaze(createRandom(seed + 2));
    this.#listening = new Listening(createRandom(seed + 3));
    this.#random = createRandom(seed + 4);
    this.#head = new HeadMotion(seed);
    this.#breath = new Breath(seed + 5);
    this.#sway = new SwaySpring(character.rig.sway);
    this.#reduced = reduced;
  }

  setActivity(activity: Activity, untilMs = Infinity): void {
    this.#attitude.set(activity, untilMs);
  }

  setReducedMotion(reduced: boolean): void {
    this.#reduced = reduced;
  }

  prepareToSpeak(nowMs: number): void {
    this.#attitude.prepare(nowMs);
  }

  speak(timeline: SpeechTimeline, startMs: number): void {
    const { visemes, words, loudness } = timeline;
    this.#forgetPlans();
    this.#mouth.speak(visemes, startMs, loudness);
    this.#accents.speak(timeline, startMs);
    this.#feeling.speak(words, startMs);
    for (const pause of speechPauses(timeline)) this.#blinking.addPause(startMs + pause);
    spokenSentences(words).forEach(({ start }, i) => {
      // The eyes have just come back from thinking, so they stay on the visitor in the first sentence.
      if (i === 0 && this.#attitude.isThinking) return;
      if (this.#random() < thoughtShare) this.#gaze.addThought(startMs + start);
    });
    this.#attitude.speak();
  }

  stopSpeaking(nowMs: number): void {
    this.#mouth.stop(nowMs);
    this.#accents.stop(nowMs);
    this.#feeling.stop(nowMs);
    this.#forgetPlans();
    this.#attitude.stopSpeaking();
  }

  hearVoice(nowMs: number, isVoice: boolean): void {
    this.#listening.hear(nowMs, isVoice);
  }

  hearWords(nowMs: number, text: string): void {
    if (isQuestion(text)) this.#listening.hearQuestion(nowMs);
  }

  setMood(mood: Mood, nowMs: number): void {
    this.#feeling.setMood(mood, nowMs);
  }

  express(expression: Expression, nowMs: number): void {
    this.#expressions.show(expression, nowMs);
  }

  changeCharacter(character: MovingCharacter): void {
    this.#mouth.changeCharacter(character);
    this.#sway = new SwaySpring(character.rig.sway);
  }

  step(nowMs: number): PuppetParams {
    const elapsedMs = Math.max(0, nowMs - (this.#lastMs ?? nowMs));
    this.#lastMs = nowMs;
    const speaking = this.#mouth.isSpeaking(nowMs);
    const pose = this.#attitude.at(nowMs, speaking);
    const reactions: Reactions = {
      stress: this.#accents.at(nowMs),
      feeling: this.#feeling.step(nowMs, elapsedMs, speaking),
      attention: this.#listening.at(nowMs, this.#attitude.isListening),
      expression: this.#expressions.at(nowMs),
    };
    const breath = this.#breath.step(nowMs, elapsedMs, speaking, this.#reduced);
    const head = this.#holdHead(nowMs, elapsedMs, pose, reactions, breath.lift);
    const look = this.#gaze.at(nowMs, pose, this.#reduced);
    return {
      visemeWeights: this.#mouth.at(nowMs),
      ...this.#face(nowMs, elapsedMs, pose, reactions),
      ...head,
      ...this.#hair(head, elapsedMs, breath.lift),
      gazeX: clamp(look.x - head.headTurn * counterGaze, -1, 1),
      gazeY: clamp(look.y - head.headNod * counterGaze, -1, 1),
      blink: this.#blinking.at(nowMs, this.#reduced),
      blinkR: clamp(reactions.expression.blinkR),
      breath: breath.chest,
    };
  }

  #holdHead(
    nowMs: number,
    elapsedMs: number,
    pose: Pose,
    { stress, feeling, attention, expression }: Reactions,
    lift: number,
  ): HeadPose {
    const gestures = {
      headTurn: stress.headTurn + expression.headTurn,
      headTilt: stress.headTilt + feeling.headTilt + expression.headTilt,
      headNod: stress.headNod + feeling.headNod + attention.headNod + expression.headNod - lift,
    };
    return this.#head.step(nowMs, elapsedMs, pose, gestures, this.#reduced);
  }

  #hair(head: HeadPose, elapsedMs: number, lift: number): Pick<PuppetParams, "swayX" | "swayY"> {
    const { swayX, swayY } = this.#sway.step(head, elapsedMs);
    // A chest that rises lifts the ends of the hair on the shoulders.
    return this.#reduced ? {} : { swayX, swayY: clamp(swayY - lift * 8, -1, 1) };
  }

  #face(
    nowMs: number,
    elapsedMs: number,
    pose: Pose,
    { stress, feeling, attention, expression }: Reactions,
  ): Pick<PuppetParams, "smile" | "concern" | "browRaise" | "browConcern"> {
    const part = this.#reduced ? calmShare : 1;
    const drift = (salt: number, periodMs: number): number =>
      this.#reduced ? 0 : wander(this.seed + salt, nowMs, periodMs);
    const smile = this.#smile.step(pose.smile, elapsedMs) + smileDrift * drift(31, 5300);
    const brows = this.#browRaise.step(pose.browRaise, elapsedMs) + browDrift * Math.max(0, drift(32, 4100));
    const raised = Math.max(stress.browRaise, attention.browRaise, expression.browRaise) * part;
    return {
      smile: clamp(smile + feeling.smile + expression.smile),
      concern: feeling.concern,
      browRaise: clamp(brows + feeling.browRaise + raised),
      browConcern: clamp(this.#browConcern.step(pose.browConcern, elapsedMs) + feeling.browConcern),
    };
  }

  #forgetPlans(): void {
    this.#blinking.forgetPauses();
    this.#gaze.forgetThoughts();
  }
}
