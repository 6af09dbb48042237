import type { TimedViseme, TimedWord } from "../../../protocol/speech.ts";
import { frameStepMs, loudFrames, type SpeechFeatures } from "./speech-features.ts";

/** Silence of at least this length is a pause; the closure before a plosive is shorter. */
const pauseMinMs = 150;

/** A stretch of time, in ms. */
interface Span {
  start: number;
  end: number;
}

/** The pauses of a speaker: silence between loud frames. */
export function speechPauses({ frames, levelDb }: SpeechFeatures): Span[] {
  const loud = loudFrames(levelDb);
  const pauses: Span[] = [];
  let quietFrom = -1;
  for (let frame = loud.indexOf(true); frame >= 0 && frame < frames; frame++)
    if (!loud[frame]) {
      if (quietFrom < 0) quietFrom = frame;
    } else {
      if (quietFrom >= 0 && (frame - quietFrom) * frameStepMs >= pauseMinMs)
        pauses.push({ start: quietFrom * frameStepMs, end: frame * frameStepMs });
      quietFrom = -1;
    }
  return pauses;
}

/** The parts of a time span outside a pause: none, one or two. */
function outside<Timed extends Span>(thing: Timed, pause: Span): Timed[] {
  if (pause.end <= thing.start || pause.start >= thing.end) return [thing];
  const parts = [
    { ...thing, end: pause.start },
    { ...thing, start: pause.end },
  ];
  return parts.filter(({ start, end }) => end > start);
}

/** Mouth shapes with rests: a shape in a pause is removed, and the mouth is at rest there. */
export function restingIn(pauses: readonly Span[], visemes: readonly TimedViseme[]): TimedViseme[] {
  const spoken = pauses.reduce(
    (parts, pause) => parts.flatMap((part) => outside(part, pause)),
    visemes.filter(({ viseme }) => viseme !== "sil"),
  );
  const quiet = visemes.filter(({ viseme }) => viseme === "sil");
  const rest = pauses
    .flatMap((pause) =>
      quiet.reduce((parts, known) => parts.flatMap((part) => outside(part, known)), [pause]),
    )
    .map((span) => ({ viseme: "sil" as const, ...span }));
  return [...spoken, ...quiet, ...rest].sort((a, b) => a.start - b.start);
}

/** Words that start and end with their sound: a pause at the edge of a word belongs to no word. */
export function clearOf(pauses: readonly Span[], words: readonly TimedWord[]): TimedWord[] {
  return words.map((word) => {
    const parts = pauses.reduce<TimedWord[]>(
      (rest, pause) => rest.flatMap((part) => outside(part, pause)),
      [word],
    );
    // A word with a pause inside gets the position of its longest part.
    const longest = parts.sort((a, b) => b.end - b.start - (a.end - a.start))[0];
    return longest ?? { ...word, end: word.start };
  });
}
