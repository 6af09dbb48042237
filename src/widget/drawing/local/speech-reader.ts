import type { DrawnSpeech } from "../../../protocol/speech/drawn-speech.ts";
import {
  loudnessOfDigit,
  loudnessStepMs,
  speechPartSchema,
  visemesOf,
  type SpeechPart,
} from "../../../protocol/speech/speech-part.ts";

/** What is known of a speech so far. */
export interface ReadSpeech {
  readonly number: number;
  /** When its first part would have arrived on the shortest way, on the page's clock. */
  readonly atMs: number;
  readonly durationMs: number;
  /** Its end is missing as long as parts are. */
  readonly drawn: { readonly [Field in keyof DrawnSpeech]-?: NonNullable<DrawnSpeech[Field]> };
  /** Whether its mouth shapes are known at a time from its beginning. */
  covers(ms: number): boolean;
}

type Words = NonNullable<DrawnSpeech["words"]>;

/** What `stf` says of a speech for captions. */
export interface CaptionNotice {
  readonly message: string;
  readonly duration: number;
  readonly words: Words;
  readonly speech: number;
}

/** The most parts that are kept. The service sends them only a few seconds ahead. */
const partsMax = 64;
/** What was said so long ago is not needed any more, in ms. */
const memoryMs = 5_000;
/** So much the clocks of the service and the page drift apart, at most. */
const drift = 1e-4;

/**
 * Joins the parts of a speech's timeline, in whatever order, how often and how late they come. Each part says when it was sent; the one
 * that came fastest tells how the service's clock differs from the page's, so that a late one is placed as if it had come in time.
 */
export class SpeechReader {
  readonly #handle: (speech: ReadSpeech) => void;
  readonly #handleCaption: (notice: CaptionNotice) => void;
  /** The page's time minus the service's, with the fastest way; and when that was last known. */
  #originMs = Infinity;
  #heardAtMs = 0;
  #number = -Infinity;
  /** The last one whose caption has come. */
  #captioned = -Infinity;
  /** Speeches up to this one were stopped. */
  #stopped = -Infinity;
  #parts = new Map<number, SpeechPart>();
  #placedMs = Number.NaN;
  #words: { readonly number: unknown; readonly words: Words } = { number: null, words: [] };

  /** `handle` gets a speech again with each part that says more of it, `handleCaption` what captions need of it, once. */
  constructor(handle: (speech: ReadSpeech) => void, handleCaption: (notice: CaptionNotice) => void) {
    this.#handle = handle;
    this.#handleCaption = handleCaption;
  }

  /** A message has arrived. */
  take(data: unknown, arrivedAtMs: number): void {
    const part = parsed(data);
    if (!part) return;
    this.#originMs = Math.min(
      arrivedAtMs - part.sent,
      this.#originMs + Math.max(0, arrivedAtMs - this.#heardAtMs) * drift,
    );
    this.#heardAtMs = arrivedAtMs;
    this.#takeCaption(part);
    // An empty one only says what the time is there.
    if (part.duration === 0 || part.speech < this.#number || part.speech <= this.#stopped) return;
    if (part.speech > this.#number) {
      this.#number = part.speech;
      this.#parts = new Map();
      this.#placedMs = Number.NaN;
    }
    const atMs = part.began + this.#originMs;
    for (const [from, { to }] of this.#parts)
      if (to < arrivedAtMs - atMs - memoryMs) this.#parts.delete(from);
    const isKnown = this.#parts.has(part.from) || this.#parts.size >= partsMax;
    if (!isKnown) this.#parts.set(part.from, part);
    // A faster copy has shown that the speech began earlier.
    const isPlaced = this.#placedMs - atMs < replaceMs;
    if (isKnown && isPlaced) return;
    if (!isPlaced) this.#placedMs = atMs;
    this.#tell();
  }

  /** The words of a speech, which may come on another channel. Late ones of an earlier speech are not needed any more. */
  takeWords(number: unknown, words: Words): void {
    if (Number(number) < Number(this.#words.number)) return;
    this.#words = { number, words };
    if (this.#parts.size > 0 && number === this.#number && number !== this.#stopped) this.#tell();
  }

  /** The present speech was stopped. What else comes of it is not told. */
  stop(): void {
    this.#stopped = this.#number;
  }

  /** Another connection begins. */
  restart(): void {
    this.#originMs = Infinity;
    this.#number = this.#stopped = this.#captioned = -Infinity;
    this.#words = { number: null, words: [] };
    this.#parts = new Map();
  }

  #takeCaption({ speech, caption }: SpeechPart): void {
    if (!caption || speech <= this.#captioned) return;
    this.#captioned = speech;
    const { message, duration, words, times } = caption;
    const timed = words.map((word, i) => ({
      text: word,
      start: times[2 * i] ?? 0,
      end: times[2 * i + 1] ?? 0,
    }));
    this.#handleCaption({ message, duration, words: timed, speech });
  }

  #tell(): void {
    const parts = [...this.#parts.values()].sort((a, b) => a.from - b.from);
    this.#handle({
      number: this.#number,
      atMs: this.#placedMs,
      durationMs: parts[0]?.duration ?? 0,
      drawn: {
        words: this.#words.number === this.#number ? this.#words.words : [],
        visemes: parts.flatMap(visemesOf),
        accents: parts.flatMap(({ accents }) =>
          accents.map(([start = 0, end = 0, strength = 0]) => ({ start, end, strength })),
        ),
        loudness: loudnessOf(parts),
      },
      covers: (ms) => parts.some(({ from, to }) => ms >= from && ms < to),
    });
  }
}

/** A difference that is not seen is not made good. */
const replaceMs = 12;

function parsed(data: unknown): SpeechPart | null {
  try {
    return speechPartSchema.safeParse(JSON.parse(String(data))).data ?? null;
  } catch {
    return null;
  }
}

function loudnessOf(parts: readonly SpeechPart[]): number[] {
  const levels: number[] = [];
  for (const { from, loudness } of parts) {
    const first = Math.floor(from / loudnessStepMs);
    while (levels.length < first) levels.push(0);
    levels.splice(first, loudness.length, ...Array.from(loudness, loudnessOfDigit));
  }
  return levels;
}
