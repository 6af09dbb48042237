import type { Viseme } from "../viseme.ts";
import type { TimedViseme } from "./speech-timeline.ts";

/** What the mouth does for a while. It fades in from `fadeInMs` to `startMs`, and fades out as its successor fades in. */
export interface Gesture {
  readonly viseme: Viseme;
  readonly fadeInMs: number;
  /** When it is fully there. */
  readonly startMs: number;
  readonly endMs: number;
  readonly strength: number;
  /** The rounded vowel that already shows in a consonant before it. */
  readonly rounding: Viseme | undefined;
}

/** Two lips (PP) and lip and teeth (FF) must be seen to touch: they are held at least this long, one frame at 25 fps. */
const leastTouchMs = 50;

/** A mouth starts to move towards a shape at most this long before it is due. */
const anticipationMs = 80;

/** And arrives at most this long after. */
const arrivalMs = 35;

const shortestRestMs = 30;

/** How distinctly each shape is made in fluent speech. */
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

const vowels: ReadonlySet<Viseme> = new Set(["aa", "E", "ih", "oh", "ou"]);

/** Whether a shape brings lips or teeth to touch, which speech cannot do without. */
function touches(viseme: Viseme): boolean {
  return viseme === "PP" || viseme === "FF";
}

/** Turns an utterance's visemes, begun at `startMs`, into gestures that flow into each other. */
export function mouthGestures(visemes: readonly TimedViseme[], startMs: number): Gesture[] {
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
      strength: strength(span),
      rounding: next && rounds(next.viseme) && isLoose(span.viseme) ? next.viseme : undefined,
    });
  });
  return gestures;
}

/** When a shape begins to show and when it is fully there: a touch arrives in time and is not left early. */
function arrival(span: TimedViseme, before: TimedViseme | undefined): { fadeIn: number; start: number } {
  const ownMs = span.end - span.start;
  const beforeMs = before ? before.end - before.start : anticipationMs * 2;
  const early = before && touches(before.viseme) ? 0 : Math.min(anticipationMs, beforeMs / 2);
  const late = touches(span.viseme) && early > 0 ? 0 : Math.min(arrivalMs, ownMs * 0.4);
  return { fadeIn: span.start - early, start: span.start + late };
}

function strength({ viseme, start, end }: TimedViseme): number {
  // A vowel that is over quickly is not opened fully.
  const reached = vowels.has(viseme) ? Math.min(1, 0.5 + (end - start) / 200) : 1;
  return strengths[viseme] * reached;
}

function rounds(viseme: Viseme): boolean {
  return viseme === "oh" || viseme === "ou";
}

function isLoose(viseme: Viseme): boolean {
  return viseme !== "sil" && !touches(viseme) && !vowels.has(viseme);
}

/** The visemes in order without gaps: rests between them, equal neighbours as one, touches long enough, a rest last. */
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
