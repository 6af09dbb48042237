import type { TimedViseme, TimedWord } from "../../../puppet/index.ts";

/** A word without mouth shapes opens the mouth so often. */
const syllableMs = 140;

/** Mouth shapes for a word of which only the time is known: the mouth opens and closes. */
export function syllables({ start, end }: TimedWord): TimedViseme[] {
  const count = Math.max(1, Math.round((end - start) / syllableMs));
  const each = (end - start) / count;
  return Array.from({ length: count }, (_, i) => {
    const at = start + i * each;
    return [
      { viseme: i % 2 ? "E" : "aa", start: at, end: at + each * 0.6 },
      { viseme: "DD", start: at + each * 0.6, end: at + each },
    ] as const;
  }).flat();
}
