import type { TimedWord } from "../../protocol/speech/speech.ts";
import type { ServerMessage } from "../../protocol/session/data-channel.ts";
import type { VoicePlace } from "../conversation/transcript-entry.ts";
import { joinSpeakingOrder, type SpeakingParty } from "./speaking-order.ts";
import { TypedEvents } from "../typed-events.ts";

/** A word of an utterance: its position in the text and when it is spoken. */
export interface CaptionWord {
  readonly text: string;
  /** Offset just behind the word in the text. */
  readonly end: number;
  /** When its sound begins, in ms from the utterance's start. */
  readonly startMs: number;
}

const bare = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/**
 * Times the words of a text, which white space separates, by the words that the service has timed. A word that is spoken
 * differently from how it is written ("20" as "twenty") is placed between its neighbours, by length.
 */
export function timeWords(text: string, durationMs: number, timed: readonly TimedWord[] = []): CaptionWord[] {
  const tokens = [...text.matchAll(/\S+/g)];
  const known = alignStarts(
    tokens.map((token) => token[0]),
    timed,
  );
  return tokens.map((token, index) => ({
    text: token[0],
    end: token.index + token[0].length,
    startMs: known[index] ?? betweenNeighbours(tokens, known, index, durationMs),
  }));
}

/** The start of each written word that is found, in order, among the spoken ones. */
function alignStarts(words: string[], timed: readonly TimedWord[]): (number | undefined)[] {
  if (words.length === timed.length) return timed.map((word) => word.start);
  let next = 0;
  return words.map((word) => {
    const found = timed.findIndex((spoken, index) => index >= next && bare(spoken.text) === bare(word));
    // A match far ahead is another occurrence of a common word.
    if (found < 0 || found > next + 6) return undefined;
    next = found + 1;
    return timed[found]?.start;
  });
}

function betweenNeighbours(
  tokens: RegExpExecArray[],
  known: (number | undefined)[],
  index: number,
  durationMs: number,
): number {
  let before = index;
  while (before > 0 && known[before] === undefined) before -= 1;
  let after = index;
  while (after < tokens.length && known[after] === undefined) after += 1;
  const fromMs = known[before] ?? 0;
  const toMs = known[after] ?? durationMs;
  const last = tokens.at(-1);
  const textEnd = last ? last.index + last[0].length : 0;
  const offset = (at: number): number => tokens[at]?.index ?? textEnd;
  return fromMs + ((toMs - fromMs) * (offset(index) - offset(before))) / (offset(after) - offset(before));
}

/** A text for the avatar to say. */
export interface Utterance {
  /** The transcript entry that it is a part of. */
  readonly entryId: string;
  readonly text: string;
  /** The place in the entry's text for a place in `text`: a text is spoken without its marks and addresses. */
  readonly placeOf: (offset: number) => number;
}

export interface SpeechEvents {
  caption: { text: string; word: string; index: number };
  captionend: { text: string };
  /** A text of this entry will not be spoken. */
  unspoken: { entryId: string };
  /** `speaking` or `pending` may have changed. */
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

/**
 * If the service sends nothing about a text for so long, the text will not be spoken. A voice has 60 s for it unless its entry says
 * otherwise, and then the service tells that it has failed.
 */
const silenceLimitMs = 65_000;
/** A text is spoken in pieces, of which this is the last of a sentence. */
const sentenceEnd = /[.!?…。！？؟।]["'”’»)\]]*\s*$/;

/** The queue of texts to say, how far the avatar has come, and the captions in time with it. */
export class Speech {
  readonly events = new TypedEvents<SpeechEvents>();
  /** What is said of the rest of an answer. */
  rest: "all" | "last sentence" | "silent" = "all";
  #queue: Utterance[] = [];
  /** How much of the queue's first utterance earlier notices have covered. */
  #cursor = 0;
  #speaking: Speaking | null = null;
  /** Texts that an interruption dropped. A notice about them that arrives later is ignored. */
  #dropped: string[] = [];
  /** What will be said when a pause is over; null while there is none. */
  paused: Utterance[] | null = null;
  #held = false;
  /** The number of the last speech that has begun. Its notice may come twice, and a late one after the next speech's. */
  #begun = 0;
  /** The service starts no further text for now. */
  #nextHeld = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #leaveOrder: () => void;

  /** `party`: whose speech it is; none where no other avatar has to be considered. */
  constructor(party: SpeakingParty = { line: null }) {
    this.#leaveOrder = joinSpeakingOrder(this, party);
  }

  get speaking(): boolean {
    return this.#speaking !== null;
  }

  /** Whether something waits to be spoken or is being spoken. */
  get pending(): boolean {
    return this.#queue.length > 0 || this.speaking;
  }

  /** Whether there is something to stop: also what waits for the end of a pause. */
  get busy(): boolean {
    return this.pending || this.paused !== null;
  }

  /** Whether something is being spoken or will be soon. */
  get active(): boolean {
    return this.speaking || (this.pending && !this.#nextHeld);
  }

  /** Whether the voice is in the middle of a sentence that goes on in the next text. */
  get inSentence(): boolean {
    return this.#speaking !== null && this.#queue.length > 0 && !sentenceEnd.test(this.#speaking.text);
  }

  /** Where the voice is in the transcript; null when nothing is left to say. */
  get place(): VoicePlace | null {
    const now = this.#speaking;
    const utterance = now?.utterance ?? this.#queue[0];
    if (!utterance) return null;
    const from = now ? now.from : this.#cursor;
    const to = now ? from + now.text.length : from;
    return { entryId: utterance.entryId, from: utterance.placeOf(from), to: utterance.placeOf(to) };
  }

  enqueue(utterance: Utterance): void {
    this.#queue.push(utterance);
    if (!this.#speaking) this.#awaitNotice();
    this.events.emit("change", undefined);
  }

  /** The service began to speak a text at this time, on the clock of `performance.now()`. */
  handleNotice({ message, duration, words, speech }: Notice, startedAtMs = performance.now()): void {
    if (typeof speech === "number") {
      if (speech <= this.#begun) return;
      this.#begun = speech;
    }
    // A notice of no length only follows a failure, which has removed the text from the queue.
    const place = duration && this.#place(message);
    if (!place) return;
    this.#finish();
    if (this.rest === "silent") {
      this.events.emit("change", undefined);
      return;
    }
    const text = place.text;
    this.#speaking = {
      ...place,
      words: timeWords(text, duration, words),
      startedAtMs,
      durationMs: duration,
      shown: 0,
    };
    this.#tick();
    this.events.emit("change", undefined);
  }

  /** The service will not speak a text, which then counts as shown. False for a text that nobody asked it to speak. */
  handleFault(message: string): boolean {
    const known = this.#queue.findIndex((utterance) => utterance.text.includes(message));
    const [text] = known >= 0 ? this.#queue.splice(known, 1) : [];
    if (known === 0) this.#cursor = 0;
    if (text) this.events.emit("unspoken", text);
    this.events.emit("change", undefined);
    return known >= 0 || this.#isDropped(message);
  }

  /**
   * Stops and drops the queue. Returns for each affected entry how much of its text has been spoken: the offset after the
   * last word that began.
   */
  stop(): Map<string, number> {
    const spoken = new Map<string, number>();
    this.#queue.push(...(this.paused ?? []));
    this.paused = null;
    for (const utterance of this.#queue)
      if (!spoken.has(utterance.entryId)) spoken.set(utterance.entryId, utterance.placeOf(0));
    const now = this.#speaking;
    if (now?.utterance)
      spoken.set(now.utterance.entryId, now.utterance.placeOf(now.from + spokenLength(now)));
    this.#dropped = this.#queue.map((utterance) => utterance.text);
    this.#queue = [];
    this.#finish();
    this.events.emit("change", undefined);
    return spoken;
  }

  /** Drops what comes after the present sentence, as soon as that is said. */
  finishSentence(): void {
    this.rest = "last sentence";
    if (this.#speaking) return;
    this.#drop();
    this.events.emit("change", undefined);
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.rest = "silent";
    this.#dropped = this.#queue.map((utterance) => utterance.text);
    this.#queue = [];
    this.#cursor = 0;
  }

  /** Puts what was not heard by the given time back into the queue (clock of `performance.now()`), so that it is said again. */
  takeUnheard(heardAtMs: number): Utterance[] {
    const [first, ...rest] = this.#queue;
    const now = this.#speaking;
    const spoken =
      now && now.utterance === first
        ? now.from + spokenLength(now, heardAtMs - now.startedAtMs)
        : this.#cursor;
    this.#queue = [];
    this.#held = false;
    this.#begun = 0;
    this.#finish();
    if (!first) return [];
    const left = first.text.slice(spoken);
    if (!left.trim()) return rest;
    return [{ ...first, text: left, placeOf: (offset) => first.placeOf(spoken + offset) }, ...rest];
  }

  /** Stops speaking until `paused` is null again, and keeps there what was not said. */
  pause(): void {
    const given = this.#queue.map(({ text }) => text);
    this.paused ??= this.takeUnheard(performance.now());
    this.#dropped = given;
    this.events.emit("change", undefined);
  }

  /** Pauses the captions, or lets them catch up with the voice. */
  hold(held: boolean): void {
    this.#held = held;
    if (this.#speaking) this.#tick();
  }

  /** The service starts no further text, and goes on later. */
  holdNext(held: boolean): void {
    this.#nextHeld = held;
    if (!this.#speaking) this.#awaitNotice();
    this.events.emit("change", undefined);
  }

  /** Drops everything without events. */
  reset(): void {
    clearTimeout(this.#timer);
    this.#queue = [];
    this.#cursor = 0;
    this.#speaking = null;
    this.#dropped = [];
    this.paused = null;
    this.#leaveOrder();
    this.#held = this.#nextHeld = false;
    this.#begun = 0;
    this.rest = "all";
  }

  /** Where a notice's text is in the queue's text; null if an interruption has dropped it. */
  #place(message: string): Pick<Speaking, "utterance" | "text" | "from"> | null {
    const text = message.trim();
    for (const [index, utterance] of this.#queue.entries()) {
      const from = utterance.text.indexOf(text, index === 0 ? this.#cursor : 0);
      if (from < 0) continue;
      this.#queue.splice(0, index);
      this.#cursor = from + text.length;
      return { utterance, text, from };
    }
    if (this.#isDropped(text)) return null;
    const [first] = this.#queue;
    // The text was spoken differently from how it was written. The written text is shown.
    if (!first) return { utterance: null, text, from: 0 };
    const from = this.#cursor;
    this.#cursor = first.text.length;
    return { utterance: first, text: first.text.slice(from), from };
  }

  #isDropped(text: string): boolean {
    return this.#dropped.some((dropped) => dropped.includes(text));
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

  /** Ends the present utterance, at its end or before. Removes the queue's first text when all of it was said. */
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
      if (this.rest === "last sentence" && sentenceEnd.test(now.text)) {
        this.#drop();
        return;
      }
    }
    if (!this.#queue.length) this.#cursor = 0;
    this.#awaitNotice();
  }

  #awaitNotice(): void {
    clearTimeout(this.#timer);
    if (this.#nextHeld || !this.#queue.length) return;
    this.#timer = setTimeout(() => {
      const given = this.#queue;
      this.#queue = [];
      this.#cursor = 0;
      for (const { entryId } of given) this.events.emit("unspoken", { entryId });
      this.events.emit("change", undefined);
    }, silenceLimitMs);
  }
}

/** How much of an utterance's text has been spoken, up to the last word that began, now or at the given time in it. */
function spokenLength(speaking: Speaking, elapsedMs = performance.now() - speaking.startedAtMs): number {
  return speaking.words.findLast((word) => word.startMs <= elapsedMs)?.end ?? 0;
}
