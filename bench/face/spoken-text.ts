import type { SpeechTimeline, TimedViseme, TimedWord, Viseme } from "../../src/puppet/index.ts";

/** The mouth shape of each letter: a rough reading that is good enough to move a mouth like speech. */
const shapes: Readonly<Record<string, Viseme>> = {
  a: "aa",
  b: "PP",
  c: "kk",
  d: "DD",
  e: "E",
  f: "FF",
  g: "kk",
  h: "ih",
  i: "ih",
  j: "CH",
  k: "kk",
  l: "nn",
  m: "PP",
  n: "nn",
  o: "oh",
  p: "PP",
  q: "kk",
  r: "RR",
  s: "SS",
  t: "DD",
  u: "ou",
  v: "FF",
  w: "ou",
  x: "SS",
  y: "ih",
  z: "SS",
};

const letterMs = 68;
const vowelMs = 95;
const commaMs = 180;
const sentenceMs = 380;

/** A text as speech: about 150 words a minute, with pauses at commas and sentences. */
export function spokenText(text: string): SpeechTimeline {
  const visemes: TimedViseme[] = [];
  const words: TimedWord[] = [];
  let at = 0;
  for (const word of text.split(/\s+/u)) {
    const start = at;
    for (const letter of word.toLowerCase()) {
      const viseme = shapes[letter];
      if (!viseme) continue;
      const end = at + (/[aeiou]/.test(letter) ? vowelMs : letterMs);
      visemes.push({ viseme, start: at, end });
      at = end;
    }
    words.push({ text: word, start, end: at });
    if (/[.!?]$/.test(word)) at += sentenceMs;
    else if (/[,;:]$/.test(word)) at += commaMs;
  }
  return { visemes, words, loudness: loudnessOf(words, at) };
}

/** Long words are louder, as stressed words are; pauses are silent. */
function loudnessOf(words: readonly TimedWord[], lengthMs: number): number[] {
  return Array.from({ length: Math.ceil(lengthMs / 20) }, (_, step) => {
    const word = words.find(({ start, end }) => step * 20 >= start && step * 20 < end);
    return word ? Math.min(1, 0.55 + 0.06 * word.text.length) : 0;
  });
}

/** How long the speech takes, in ms. */
export function spokenMs({ visemes }: SpeechTimeline): number {
  return visemes.at(-1)?.end ?? 0;
}
