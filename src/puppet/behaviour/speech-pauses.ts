import type { SpeechTimeline } from "./speech-timeline.ts";

/** A shorter silence is part of a word. */
const shortestPauseMs = 110;

/** When the pauses of an utterance begin, in ms from its beginning; its end is one, too. */
export function speechPauses({ visemes }: Pick<SpeechTimeline, "visemes">): number[] {
  const pauses: number[] = [];
  let spokenUntil: number | undefined;
  for (const { viseme, start, end } of [...visemes].sort((a, b) => a.start - b.start)) {
    if (viseme === "sil") continue;
    if (spokenUntil !== undefined && start - spokenUntil >= shortestPauseMs) pauses.push(spokenUntil);
    spokenUntil = Math.max(end, spokenUntil ?? end);
  }
  return spokenUntil === undefined ? [] : [...pauses, spokenUntil];
}
