import { mirrored, poses, type Activity, type Pose } from "./poses.ts";

/** Between two sentences of an answer the avatar only pauses: its face stays as in speech for this long. */
const betweenSentencesMs = 700;

/** How long it is ready to speak without speech. */
const readyMs = 2500;

const otherThinking = mirrored(poses.thinking);

/** The pose of the conversation. It depends on the activity that was set, on current speech, and on speech that is about to begin. */
export class Attitude {
  #activity: Activity = "idle";
  #readyUntilMs = -Infinity;
  #speakingUntilMs = -Infinity;
  #untilMs = Infinity;
  #thoughts = 0;

  get isThinking(): boolean {
    return this.#activity === "thinking";
  }

  get isListening(): boolean {
    return this.#activity === "listening";
  }

  /** Sets the activity; after `untilMs` it is "idle" again. */
  set(activity: Activity, untilMs: number): void {
    if (activity === "thinking" && !this.isThinking) this.#thoughts++;
    this.#activity = activity;
    this.#untilMs = untilMs;
    this.#speakingUntilMs = -Infinity;
  }

  /** Speech will begin soon. */
  prepare(nowMs: number): void {
    this.#readyUntilMs = nowMs + readyMs;
  }

  /** Speech begins. This ends what came before. */
  speak(): void {
    this.#activity = "idle";
  }

  stopSpeaking(): void {
    this.#speakingUntilMs = -Infinity;
    this.#readyUntilMs = -Infinity;
  }

  /** The pose of this moment. */
  at(nowMs: number, isSpeaking: boolean): Pose {
    if (nowMs >= this.#untilMs) this.#activity = "idle";
    if (isSpeaking) {
      this.#speakingUntilMs = nowMs + betweenSentencesMs;
      this.#readyUntilMs = -Infinity;
    }
    if (nowMs < this.#speakingUntilMs) return poses.speaking;
    if (nowMs < this.#readyUntilMs) return poses.ready;
    return this.#sided(this.#activity);
  }

  /** Each time the avatar thinks, it looks to the other side than before. */
  #sided(activity: Activity): Pose {
    return activity === "thinking" && this.#thoughts % 2 === 0 ? otherThinking : poses[activity];
  }
}
