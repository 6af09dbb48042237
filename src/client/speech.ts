import type { ServerMessage } from "../protocol/data-channel.ts";
import { timeWords, type CaptionWord } from "./caption-timing.ts";
import { TypedEvents } from "./typed-events.ts";

/** A text handed to the avatar to say. */
export interface Utterance {
  /** The transcript entry that it is a part of. */
  readonly entryId: string;
  /** Where it begins in the entry's text. */
  readonly offset: number;
  readonly text: string;
}

export interface SpeechEvents {
  caption: { text: string; word: string; index: number };
  captionend: { text: string };
  /** Whether something is spoken, or waits to be, may have changed. */
  change: undefined;
}

interface Speaking {
  readonly utterance: Utterance | null;
  /** What is spoken now, and where it begins in the utterance. */
  readonly text: string;
  readonly from: number;
  readonly words: CaptionWord[];
  readonly startedAtMs: number;
  readonly durationMs: number;
  shown: number;
}

type Notice = Extract<ServerMessage, { type: "stf" }>["data"];

/** A text that the service has said nothing about for so long will not be spoken. */
const silenceLimitMs = 15_000;

/** What the avatar was given to say, how far it has come, and the captions in time with it. */
export class Speech {
  readonly events = new TypedEvents<SpeechEvents>();
  #queue: Utterance[] = [];
  /** How far the first utterance of the queue has been handed out in earlier notices. */
  #cursor = 0;
  #speaking: Speaking | null = null;
  /** Dropped by an interruption; a notice that was on its way then is not for showing. */
  #dropped: string[] = [];
  #held = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  get speaking(): boolean {
    return this.#speaking !== null;
  }

  /** Whether something waits to be spoken or is being spoken. */
  get pending(): boolean {
    return this.#queue.length > 0 || this.speaking;
  }

  enqueue(utterance: Utterance): void {
    this.#queue.push(utterance);
    if (!this.#speaking) this.#awaitNotice();
    this.events.emit("change", undefined);
  }

  /** The service begins to speak a text now. */
  handleNotice({ message, duration, words }: Notice): void {
    // One of no length only follows a fault, which has taken the text out of the queue.
    const place = duration && this.#place(message);
    if (!place) return;
    this.#finish();
    const text = place.text;
    this.#speaking = {
      ...place,
      words: timeWords(text, duration, words),
      startedAtMs: performance.now(),
      durationMs: duration,
      shown: 0,
    };
    this.#tick();
    this.events.emit("change", undefined);
  }

  /** The service will not speak a text: it counts as shown. False when nobody knows the text. */
  handleFault(message: string): boolean {
    const known = this.#queue.findIndex((utterance) => utterance.text.includes(message));
    if (known >= 0) this.#queue.splice(known, 1);
    if (known === 0) this.#cursor = 0;
    this.events.emit("change", undefined);
    return known >= 0;
  }

  /**
   * Stops, and drops what waits. The answer says for each entry concerned how much of its text has been spoken: the
   * offset behind the last word begun.
   */
  stop(): Map<string, number> {
    const spoken = new Map<string, number>();
    for (const utterance of this.#queue)
      if (!spoken.has(utterance.entryId)) spoken.set(utterance.entryId, utterance.offset);
    const now = this.#speaking;
    if (now?.utterance)
      spoken.set(now.utterance.entryId, now.utterance.offset + now.from + spokenLength(now));
    this.#dropped = this.#queue.map((utterance) => utterance.text);
    this.#queue = [];
    this.#finish();
    this.events.emit("change", undefined);
    return spoken;
  }

  /** Takes everything back that was not heard until the given time (clock of `performance.now()`), to say it anew. */
  takeUnheard(heardAtMs: number): Utterance[] {
    const [first, ...rest] = this.#queue;
    const now = this.#speaking;
    const spoken =
      now && now.utterance === first
        ? now.from + spokenLength(now, heardAtMs - now.startedAtMs)
        : this.#cursor;
    this.#queue = [];
    this.#held = false;
    this.#finish();
    if (!first) return [];
    const left = first.text.slice(spoken);
    if (!left.trim()) return rest;
    return [{ ...first, offset: first.offset + spoken, text: left }, ...rest];
  }

  /** Stops the captions where they are, or lets them go on to where the voice is by now. */
  hold(held: boolean): void {
    this.#held = held;
    if (this.#speaking) this.#tick();
  }

  /** Forgets everything, without a word. */
  reset(): void {
    clearTimeout(this.#timer);
    this.#queue = [];
    this.#cursor = 0;
    this.#speaking = null;
    this.#dropped = [];
    this.#held = false;
  }

  /** Where a notice's text stands in what was asked for; null when an interruption has dropped it. */
  #place(message: string): Pick<Speaking, "utterance" | "text" | "from"> | null {
    const text = message.trim();
    for (const [index, utterance] of this.#queue.entries()) {
      const from = utterance.text.indexOf(text, index === 0 ? this.#cursor : 0);
      if (from < 0) continue;
      this.#queue.splice(0, index);
      this.#cursor = from + text.length;
      return { utterance, text, from };
    }
    if (this.#dropped.some((dropped) => dropped.includes(text))) return null;
    const [first] = this.#queue;
    // Spoken otherwise than it was asked for: what was asked for is what is shown.
    if (!first) return { utterance: null, text, from: 0 };
    const from = this.#cursor;
    this.#cursor = first.text.length;
    return { utterance: first, text: first.text.slice(from), from };
  }

  #tick(): void {
    clearTimeout(this.#timer);
    const now = this.#speaking;
    if (!now || this.#held) return;
    const elapsedMs = performance.now() - now.startedAtMs;
    for (let word = now.words[now.shown]; word && word.startMs <= elapsedMs; word = now.words[now.shown])
      this.events.emit("caption", { text: now.text, word: word.text, index: now.shown++ });
    if (elapsedMs >= now.durationMs) {
      this.#finish();
      this.events.emit("change", undefined);
      return;
    }
    const nextMs = now.words[now.shown]?.startMs ?? now.durationMs;
    this.#timer = setTimeout(() => this.#tick(), Math.max(nextMs - elapsedMs, 1));
  }

  /** Ends the utterance being spoken, at its end or before; the queue's first goes with it when all of it was said. */
  #finish(): void {
    clearTimeout(this.#timer);
    const now = this.#speaking;
    this.#speaking = null;
    if (now) {
      const [first] = this.#queue;
      if (first && first === now.utterance && !first.text.slice(now.from + now.text.length).trim()) {
        this.#queue.shift();
        this.#cursor = 0;
      }
      this.events.emit("captionend", { text: now.text });
    }
    if (this.#queue.length) this.#awaitNotice();
    else this.#cursor = 0;
  }

  #awaitNotice(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#queue = [];
      this.#cursor = 0;
      this.events.emit("change", undefined);
    }, silenceLimitMs);
  }
}

/** Length of what has been spoken of an utterance, up to the last word begun; by now, or by the given time in it. */
function spokenLength(speaking: Speaking, elapsedMs = performance.now() - speaking.startedAtMs): number {
  return speaking.words.findLast((word) => word.startMs <= elapsedMs)?.end ?? 0;
}
