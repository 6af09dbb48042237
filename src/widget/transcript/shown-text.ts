import type { TranscriptEntry, VoicePlace } from "../../client/index.ts";

const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" });
const speakable = /[\p{L}\p{N}]/u;

/** The end of the sentence that begins at a place of a text, or of the next one with a word in it. */
function sentenceEnd(text: string, from: number): number {
  let end = from;
  for (const { segment } of sentences.segment(text.slice(from))) {
    end += segment.length;
    if (speakable.test(segment)) break;
  }
  return end;
}

/**
 * How many characters of each entry are shown: of an answer that is being spoken, no more than one sentence ahead of the
 * voice. `place` is where the voice is, null when it has nothing left to say or the visitor reads ahead.
 */
export function shownLengths(
  transcript: readonly TranscriptEntry[],
  place: VoicePlace | null,
): (entry: TranscriptEntry) => number {
  const spokenIndex = place ? transcript.findIndex(({ id }) => id === place.entryId) : -1;
  const spoken = transcript[spokenIndex];
  // What fills the wait for an answer is in no entry; the answer itself is not spoken yet.
  if (place?.entryId === "") {
    const asked = transcript.findLastIndex(({ role }) => role === "visitor");
    const waiting = new Set(transcript.slice(asked + 1).map(({ id }) => id));
    return ({ id, text }) => (waiting.has(id) ? 0 : text.length);
  }
  if (!place || !spoken) return ({ text }) => text.length;
  const limits = new Map([[spoken.id, sentenceEnd(spoken.text, place.to)]]);
  // Of the texts that wait, the next one is shown only if this one has no further sentence.
  let isNext = !speakable.test(spoken.text.slice(place.to));
  for (const { id, role, text } of transcript.slice(spokenIndex + 1)) {
    if (role !== "avatar") continue;
    limits.set(id, isNext ? sentenceEnd(text, 0) : 0);
    isNext = false;
  }
  return ({ id, text }) => limits.get(id) ?? text.length;
}
