import type { Viseme } from "../viseme.ts";
import { loudnessBetween, unknownLoudness } from "./loudness.ts";
import type { Loudness, TimedViseme } from "./speech-timeline.ts";

/** One mouth shape in time. It fades in from `fadeInMs` to `startMs`, and fades out while its successor fades in. */
export interface Gesture {
  readonly viseme: Viseme;
  readonly fadeInMs: number;
  /** When the shape is fully reached. */
  readonly startMs: number;
  readonly endMs: number;
  readonly strength: number;
  /** The rounded vowel that follows a consonant and already shows in it. */
  readonly rounding: Viseme | undefined;
}

/** The contact of both lips (PP), or of lip and teeth (FF), must be visible: it lasts at least this long, one frame at 25 fps. */
const leastTouchMs = 50;

/** The mouth starts to move towards a shape at most this long before the shape is due. */
const anticipationMs = 80;

/** The mouth reaches a shape at most this long after the shape is due. */
const arrivalMs = 35;

const shortestRestMs = 30;

/** How distinct each shape is in fluent speech. */
const strengths: Readonly<Record<Viseme, number>> = {
  sil: 0,
  PP: 1,
  FF: 1,
  TH: 0.85,
  DD: 0.75,
  kk: 0.7,
  CH: 0.9,
  SS: 0.85,
  nn: 0.75,
  RR: 0.8,
  aa: 0.9,
  E: 0.85,
  ih: 0.8,
  oh: 0.95,
  ou: 0.95,
};

/** How much the opening of a vowel depends on its loudness. */
const loudnessRange = 0.64;

const vowels: ReadonlySet<Viseme> = new Set(["aa", "E", "ih", "oh", "ou"]);

/** Whether lips or teeth touch in this shape. Speech without that contact looks wrong. */
function touches(viseme: Viseme): boolean {
  return viseme === "PP" || viseme === "FF";
}

/**
 * Turns the visemes of an utterance that begins at `startMs` into gestures that blend into each other. Vowels open farther where
 * the speech is louder.
 */
export function mouthGestures(
  visemes: readonly TimedViseme[],
  startMs: number,
  loudness?: Loudness,
): Gesture[] {
  const spans = continuous(visemes);
  const gestures: Gesture[] = [];
  spans.forEach((span, i) => {
    const before = spans[i - 1];
    const next = spans[i + 1];
    const { fadeIn, start } = arrival(span, before);
    gestures.push({
      viseme: span.viseme,
      fadeInMs: startMs + fadeIn,
      startMs: startMs + start,
      endMs: startMs + span.end,
      strength: strength(span, loudness),
      rounding: next && rounds(next.viseme) && isLoose(span.viseme) ? next.viseme : undefined,
    });
  });
  return gestures;
}

/** When a shape begins to show and when it is fully reached. A contact is reached on time and not left early. */
function arrival(span: TimedViseme, before: TimedViseme | undefined): { fadeIn: number; start: number } {
  const ownMs = span.end - span.start;
  const beforeMs = before ? before.end - before.start : anticipationMs * 2;
  const early = before && touches(before.viseme) ? 0 : Math.min(anticipationMs, beforeMs / 2);
  const late = touches(span.viseme) && early > 0 ? 0 : Math.min(arrivalMs, ownMs * 0.4);
  return { fadeIn: span.start - early, start: span.start + late };
}

function strength({ viseme, start, end }: TimedViseme, loudness: Loudness | undefined): number {
  if (!vowels.has(viseme)) return strengths[viseme];
  // A vowel that is over quickly is not opened fully.
  const reached = Math.min(1, 0.5 + (end - start) / 200);
  const openness = 1 + loudnessRange * (loudnessBetween(loudness, start, end) - unknownLoudness);
  return Math.min(1, strengths[viseme] * reached * openness);
}

function rounds(viseme: Viseme): boolean {
  return viseme === "oh" || viseme === "ou";
}

function isLoose(viseme: Viseme): boolean {
  return viseme !== "sil" && !touches(viseme) && !vowels.has(viseme);
}

/** The visemes in order without gaps: pauses become rests, equal neighbours are joined, contacts are long enough, a rest ends them. */
function continuous(visemes: readonly TimedViseme[]): TimedViseme[] {
  const spans: { viseme: Viseme; start: number; end: number }[] = [];
  for (const given of [...visemes].sort((a, b) => a.start - b.start)) {
    const last = spans.at(-1);
    const start = Math.max(given.start, last?.end ?? -Infinity);
    const end = Math.max(given.end, start + (touches(given.viseme) ? leastTouchMs : 0));
    if (end <= start) continue;
    if (last && start - last.end > shortestRestMs) spans.push({ viseme: "sil", start: last.end, end: start });
    const neighbour = spans.at(-1);
    if (neighbour && neighbour.viseme === given.viseme) neighbour.end = end;
    else {
      if (neighbour) neighbour.end = start;
      spans.push({ viseme: given.viseme, start, end });
    }
  }
  const last = spans.at(-1);
  if (last && last.viseme !== "sil")
    spans.push({ viseme: "sil", start: last.end, end: last.end + anticipationMs * 2 });
  return spans;
}
