import type { TimedViseme, TimedWord, Viseme } from "../../../../protocol/speech.ts";
import { visemesOfIpa } from "./ipa-visemes.ts";

/** An event that eSpeak NG reports while it speaks. Positions: characters from 1, ms from the first sample. */
export interface EspeakEvent {
  type: string;
  text_position: number;
  audio_position: number;
  id?: string | number;
}

/** A word of the message, and where it begins in the text for eSpeak NG (characters from 0). */
export interface PlacedWord {
  text: string;
  start: number;
}

interface TimedSound {
  /** The index of its word. */
  word: number;
  visemes: Viseme[];
  start: number;
  end: number;
}

/**
 * Phonemes, each lasting until the next event. A pause has an empty id; an id in brackets switches the language and makes no
 * sound.
 */
function soundsOf(
  events: readonly EspeakEvent[],
  words: readonly PlacedWord[],
  durationMs: number,
): TimedSound[] {
  const sounds: TimedSound[] = [];
  let word = 0;
  const close = (endMs: number): void => {
    const last = sounds.at(-1);
    if (last) last.end = Math.max(last.start, Math.min(endMs, durationMs));
  };
  for (const { type, text_position, audio_position, id } of events) {
    if (type === "word") {
      const next = words.findLastIndex(({ start }) => start <= text_position - 1);
      word = Math.max(word, next);
    }
    if (type !== "phoneme" || typeof id !== "string" || id.startsWith("(")) continue;
    const start = Math.min(audio_position, durationMs);
    close(start);
    sounds.push({ word, visemes: visemesOfIpa(id), start, end: durationMs });
  }
  close(durationMs);
  return sounds;
}

function timedVisemes(sounds: readonly TimedSound[], durationMs: number): TimedViseme[] {
  const visemes: TimedViseme[] = [];
  const push = (viseme: Viseme, start: number, end: number): void => {
    const last = visemes.at(-1);
    if (last?.viseme === viseme) last.end = end;
    else if (end > start) visemes.push({ viseme, start: last?.end ?? start, end });
  };
  if ((sounds[0]?.start ?? durationMs) > 0) push("sil", 0, sounds[0]?.start ?? durationMs);
  for (const { visemes: shapes, start, end } of sounds) {
    const shown: Viseme[] = shapes.length === 0 ? ["sil"] : shapes;
    const share = (end - start) / shown.length;
    shown.forEach((shape, index) => push(shape, start + index * share, start + (index + 1) * share));
  }
  const last = visemes.at(-1);
  if (last) last.end = durationMs;
  return visemes;
}

/** Words and mouth shapes from eSpeak NG's events: every word in order, unspoken words with no duration, shapes without gaps. */
export function espeakTimings(
  events: readonly EspeakEvent[],
  words: readonly PlacedWord[],
  durationMs: number,
): { words: TimedWord[]; visemes: TimedViseme[] } {
  const sounds = soundsOf(events, words, durationMs);
  let at = 0;
  const timed = words.map(({ text }, index) => {
    const own = sounds.filter(({ word, visemes }) => word === index && visemes.length > 0);
    const start = own[0]?.start ?? at;
    at = own.at(-1)?.end ?? at;
    return { text, start, end: at };
  });
  return { words: timed, visemes: timedVisemes(sounds, durationMs) };
}
