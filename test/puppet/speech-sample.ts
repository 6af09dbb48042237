import type { SpeechTimeline, TimedViseme, Viseme } from "../../src/puppet/index.ts";

/** An utterance of these visemes, each of its own length in ms, with one word over all of it. */
export function utterance(...parts: readonly (readonly [Viseme, number])[]): SpeechTimeline {
  const visemes: TimedViseme[] = [];
  let at = 0;
  for (const [viseme, lengthMs] of parts) {
    visemes.push({ viseme, start: at, end: at + lengthMs });
    at += lengthMs;
  }
  return { visemes, words: [{ text: "wonderful", start: 0, end: at }] };
}

/** A few seconds of plausible speech. */
export function longUtterance(): SpeechTimeline {
  const order = "nn E kk SS aa PP oh ou DD ih RR FF aa TH CH".split(" ") as Viseme[];
  const parts = Array.from(
    { length: 60 },
    (_, i) => [order[(i * 7) % order.length]!, 50 + ((i * 37) % 90)] as const,
  );
  const { visemes } = utterance(...parts);
  const words = Array.from({ length: 12 }, (_, i) => ({
    text: i % 2 === 0 ? "delivery" : "is",
    start: visemes[i * 5]!.start,
    end: visemes[i * 5 + 4]!.end,
  }));
  return { visemes, words };
}
