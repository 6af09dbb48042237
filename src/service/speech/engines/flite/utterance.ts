import { firstViseme, type TimedPhone, visemesOf } from "./phone-visemes.ts";
import type { TimedViseme, TimedWord } from "../../../../protocol/speech/speech.ts";
import type { FliteSpeech } from "./flite-program.ts";
import type { Speech } from "../../speech-synthesizer.ts";
import type { SpokenToken } from "./spoken-text.ts";

/** A time span in the audio, in ms. */
interface Span {
  start: number;
  end: number;
}

const skipCost = 1;

/** How different two sounds are. Words in a sentence are often reduced, but rarely replaced by other sounds. */
function substitutionCost(spoken: string, expected: string): number {
  if (spoken === expected) return 0;
  if (firstViseme(spoken) === firstViseme(expected)) return 0.4;
  return isVowel(spoken) === isVowel(expected) ? 0.9 : 1.6;
}

function isVowel(phone: string): boolean {
  return /^[aeiou]/.test(phone);
}

/**
 * Finds the time of each word in an utterance. Flite reports when sounds are spoken, but not which word they belong to. So the
 * spoken sounds are aligned with those of each word on its own (edit distance). A word without sounds, such as an emoji, gets an
 * empty span at its position. Spans are in order and do not overlap.
 */
export function alignWords(phones: readonly TimedPhone[], pronunciations: readonly string[][]): Span[] {
  const spoken = phones.filter(({ phone }) => phone !== "pau");
  const expected = pronunciations.flatMap((sounds, word) => sounds.map((sound) => ({ sound, word })));
  const owners = trace(spoken, expected, costs(spoken, expected));
  const spans: Span[] = [];
  let at = spoken[0]?.start ?? 0;
  for (let word = 0; word < pronunciations.length; word++) {
    const first = owners.indexOf(word);
    const last = owners.lastIndexOf(word);
    const span = first < 0 ? { start: at, end: at } : { start: spoken[first]!.start, end: spoken[last]!.end };
    spans.push(span);
    at = span.end;
  }
  return spans;
}

interface ExpectedSound {
  sound: string;
  word: number;
}

/** `costs[i][j]`: the lowest cost of aligning the first i spoken with the first j expected sounds. */
function costs(spoken: readonly TimedPhone[], expected: readonly ExpectedSound[]): Float64Array[] {
  const rows = [Float64Array.from({ length: expected.length + 1 }, (_, column) => column * skipCost)];
  for (const [index, { phone }] of spoken.entries()) {
    const above = rows[index]!;
    const row = new Float64Array(expected.length + 1);
    row[0] = (index + 1) * skipCost;
    for (let column = 1; column <= expected.length; column++) {
      const paired = above[column - 1]! + substitutionCost(phone, expected[column - 1]!.sound);
      row[column] = Math.min(paired, above[column]! + skipCost, row[column - 1]! + skipCost);
    }
    rows.push(row);
  }
  return rows;
}

/** The word of each spoken sound. A sound that no word expects belongs to the following word, or to the last one. */
function trace(
  spoken: readonly TimedPhone[],
  expected: readonly ExpectedSound[],
  table: readonly Float64Array[],
): number[] {
  const owners: number[] = [];
  let column = expected.length;
  for (let row = spoken.length; row > 0;) {
    const cost = table[row]![column]!;
    const sound = expected[column - 1];
    const pairCost = sound ? substitutionCost(spoken[row - 1]!.phone, sound.sound) : Infinity;
    if (sound && Math.abs(cost - table[row - 1]![column - 1]! - pairCost) < 1e-9) {
      owners[row - 1] = sound.word;
      row--;
      column--;
    } else if (sound && Math.abs(cost - table[row]![column - 1]! - skipCost) < 1e-9) {
      column--;
    } else {
      owners[row - 1] = (expected[column - 1] ?? expected[column])?.word ?? 0;
      row--;
    }
  }
  return owners;
}

/** The speech of some words from Flite: one timed word for each token, with its text as written. */
export function utteranceOf(
  tokens: readonly SpokenToken[],
  { pcm, sampleRateHz, phones }: FliteSpeech,
  pronunciations: readonly string[][],
): Speech {
  const words = alignWords(phones, pronunciations).map((span, index) => ({
    text: tokens[index]?.written ?? "",
    start: span.start,
    end: span.end,
  }));
  const visemes = closedTo(visemesOf(phones), (pcm.length * 1_000) / sampleRateHz);
  return { sampleRateHz, pcm, words, visemes };
}

/** The result for words that cannot be spoken: no sound and no duration. */
export function silentUtterance(tokens: readonly SpokenToken[]): Speech {
  return { sampleRateHz: 16_000, pcm: new Int16Array(0), words: silent(tokens), visemes: [] };
}

function silent(tokens: readonly SpokenToken[]): TimedWord[] {
  return tokens.map(({ written }) => ({ text: written, start: 0, end: 0 }));
}

/** Visemes that end exactly with the audio, because Flite rounds its times to milliseconds. */
function closedTo(visemes: TimedViseme[], durationMs: number): TimedViseme[] {
  const inside = visemes.filter(({ start }) => start < durationMs);
  const last = inside.at(-1);
  if (last) last.end = durationMs;
  return inside;
}
