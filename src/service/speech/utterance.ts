import type { TimedViseme, TimedWord } from "../../protocol/speech.ts";
import { pronounce, speak, type FliteSpeech } from "./flite-program.ts";
import { visemesOf } from "./phone-visemes.ts";
import { spokenTextOf } from "./speech-pieces.ts";
import type { Speech } from "./speech-synthesizer.ts";
import type { SpokenToken } from "./spoken-text.ts";
import { alignWords } from "./word-alignment.ts";

/** Pronunciations that a worker remembers; visitors hear the same words again and again. */
const rememberedWords = 5_000;

/** Silence that is kept before the first sound, in ms: Flite's own 0.2 s would only delay it. */
const leadingSilenceMs = 20;

/** Speaks pieces of text with Flite and finds their words. One for each worker thread. */
export class UtteranceMaker {
  readonly #flite: WebAssembly.Module;
  readonly #pronunciations = new Map<string, string[]>();

  constructor(flite: WebAssembly.Module) {
    this.#flite = flite;
  }

  /** The piece's speech; `words` has one entry for each token, texts as written. Synchronous, about 6 ms a word. */
  make(tokens: readonly SpokenToken[], voice: string): Speech {
    const text = spokenTextOf(tokens);
    if (text === "")
      return { sampleRateHz: 16_000, pcm: new Int16Array(0), words: silent(tokens), visemes: [] };
    const speech = speak(this.#flite, text, voice);
    return {
      sampleRateHz: speech.sampleRateHz,
      pcm: speech.pcm,
      words: this.#words(tokens, speech),
      visemes: closedTo(visemesOf(speech.phones), (speech.pcm.length * 1_000) / speech.sampleRateHz),
    };
  }

  #words(tokens: readonly SpokenToken[], { phones }: FliteSpeech): TimedWord[] {
    const keys = tokens.map(({ spoken }) => pronunciationKey(spoken));
    this.#learn(keys);
    const pronunciations = keys.map((key) => this.#pronunciations.get(key) ?? key.toLowerCase().split(""));
    return alignWords(phones, pronunciations).map((span, index) => ({
      text: tokens[index]!.written,
      start: span.start,
      end: span.end,
    }));
  }

  #learn(keys: readonly string[]): void {
    this.#pronunciations.set("", []);
    const unknown = [...new Set(keys)].filter((key) => !this.#pronunciations.has(key));
    if (unknown.length === 0) return;
    if (this.#pronunciations.size > rememberedWords) this.#pronunciations.clear();
    this.#pronunciations.set("", []);
    const pronounced = pronounce(
      this.#flite,
      unknown.map((key) => key.replaceAll(" ", "-")),
    );
    pronounced?.forEach((phones, index) => this.#pronunciations.set(unknown[index]!, phones));
  }
}

/** What of a word decides its sounds: without the punctuation around it. */
function pronunciationKey(spoken: string): string {
  return spoken.replace(/^[^A-Za-z0-9$&%@+=]+|[^A-Za-z0-9$&%@+=]+$/g, "");
}

function silent(tokens: readonly SpokenToken[]): TimedWord[] {
  return tokens.map(({ written }) => ({ text: written, start: 0, end: 0 }));
}

/** Visemes that end exactly with the audio: Flite rounds its times to milliseconds. */
function closedTo(visemes: TimedViseme[], durationMs: number): TimedViseme[] {
  const inside = visemes.filter(({ start }) => start < durationMs);
  const last = inside.at(-1);
  if (last) last.end = durationMs;
  return inside;
}

/** One speech of several pieces, one after another, their times offset exactly by the samples before them. */
export function joinPieces(pieces: readonly Speech[]): Speech {
  const sampleRateHz = pieces.find(({ pcm }) => pcm.length > 0)?.sampleRateHz ?? 16_000;
  const pcm = new Int16Array(pieces.reduce((sum, piece) => sum + piece.pcm.length, 0));
  const words: TimedWord[] = [];
  const visemes: TimedViseme[] = [];
  let samples = 0;
  for (const piece of pieces) {
    const offsetMs = (samples * 1_000) / sampleRateHz;
    words.push(...piece.words.map((word) => moved(word, offsetMs)));
    visemes.push(...piece.visemes.map((viseme) => moved(viseme, offsetMs)));
    pcm.set(piece.pcm, samples);
    samples += piece.pcm.length;
  }
  return withoutLead({ sampleRateHz, pcm, words, visemes });
}

function withoutLead(speech: Speech): Speech {
  const first = speech.visemes[0];
  const silenceMs = first?.viseme === "sil" ? first.end : 0;
  const cutSamples = Math.round((Math.max(0, silenceMs - leadingSilenceMs) * speech.sampleRateHz) / 1_000);
  const offsetMs = (-cutSamples * 1_000) / speech.sampleRateHz;
  return {
    sampleRateHz: speech.sampleRateHz,
    pcm: speech.pcm.slice(cutSamples),
    words: speech.words.map((word) => moved(word, offsetMs)),
    visemes: speech.visemes.map((viseme) => moved(viseme, offsetMs)),
  };
}

function moved<Timed extends { start: number; end: number }>(timed: Timed, offsetMs: number): Timed {
  return { ...timed, start: Math.max(0, timed.start + offsetMs), end: Math.max(0, timed.end + offsetMs) };
}
