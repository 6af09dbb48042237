import type { TranscriptEntry } from "../../client/index.ts";
import type { SessionSnapshot } from "../session/session-snapshot.ts";

/** Knows which answers came while the panel was away. */
export class UnreadAnswers {
  readonly #read = new Set<string>();

  /** Takes the present session. `shown`: the visitor sees the panel. Returns what was not seen or heard, oldest first. */
  update({ state, transcript, voice }: SessionSnapshot, shown: boolean): readonly TranscriptEntry[] {
    if (transcript.length === 0) this.#read.clear();
    const whole = transcript.filter(
      ({ role, status, text }) => role === "avatar" && status !== "streaming" && text.trim(),
    );
    // The conversation of an earlier page was seen there.
    const seen = shown || state === "idle";
    for (const { id, text } of whole) {
      const isSpoken = voice?.entryId === id;
      if (isSpoken ? voice.to >= text.trimEnd().length : seen) this.#read.add(id);
    }
    if (shown) return [];
    return whole.filter(({ id }) => !this.#read.has(id) && voice?.entryId !== id);
  }
}
