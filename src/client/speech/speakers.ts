/** One that speaks on the page: an avatar, or those of another frame. */
export interface Speaker {
  /** In ms since 1970, with a fraction by chance: no two begin at the same time. */
  begunAt: number;
  readonly inFrame?: true;
  wait(): void;
  goOn(): void;
}

function remove(speakers: Speaker[], speaker: Speaker): void {
  const at = speakers.indexOf(speaker);
  if (at >= 0) speakers.splice(at, 1);
}

/** Puts one that has begun into its place; if that is not the last one, it waits. */
export function beginSpeaking(speakers: Speaker[], speaker: Speaker): void {
  const top = speakers.at(-1);
  if (top === speaker) return;
  remove(speakers, speaker);
  const later = speakers.findIndex(({ begunAt }) => begunAt > speaker.begunAt);
  speakers.splice(later < 0 ? speakers.length : later, 0, speaker);
  (later < 0 ? top : speaker)?.wait();
}

/** Takes one out that has nothing to say any more. The one before it goes on. */
export function leaveSpeaking(speakers: Speaker[], speaker: Speaker): void {
  const wasLast = speakers.at(-1) === speaker;
  remove(speakers, speaker);
  if (wasLast) speakers.at(-1)?.goOn();
}
