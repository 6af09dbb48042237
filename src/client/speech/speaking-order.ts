import type { ConversationLine } from "../conversation/transcript-entry.ts";
import { beginSpeaking, leaveSpeaking, type Speaker } from "./speakers.ts";

/** The conversation of a speech: its line to the service. */
export interface SpeakingParty {
  readonly line: Pick<ConversationLine, "deliver"> | null;
}

/** The speech of an avatar. */
interface OrderedSpeech<Utterance> {
  readonly speaking: boolean;
  readonly pending: boolean;
  paused: Utterance[] | null;
  pause(): void;
  enqueue(utterance: Utterance): void;
  readonly events: { on(type: "change", listener: () => void): void };
}

/** Known to every copy of this module: a page's own bundle and a relay may both have brought one. */
const orderKey = Symbol.for("visavis.speaking-order");

const isOrder = (value: unknown): value is Speaker[] => Array.isArray(value);

/** Those that have something to say, in the order in which they began: the last one speaks, the others wait. */
function speakersOfPage(): Speaker[] {
  const known: unknown = Reflect.get(globalThis, orderKey);
  if (isOrder(known)) return known;
  const speakers: Speaker[] = [];
  Reflect.set(globalThis, orderKey, speakers);
  return speakers;
}

/** Avatars in other frames of the page count too. Their part is loaded only where there are frames. */
function tellFrames(speakers: Speaker[]): void {
  if (!("parent" in globalThis) || (parent === window && window.length === 0)) return;
  void import("./speaking-frames.ts").then(
    (frames) => frames.tellFrames(speakers),
    () => undefined,
  );
}

/**
 * Lets the avatars of a page speak one after the other: the one that has begun last speaks, the others wait and then go on
 * where they were. Returns a function that leaves the order.
 */
export function joinSpeakingOrder<Utterance extends { readonly text: string }>(
  speech: OrderedSpeech<Utterance>,
  party: SpeakingParty,
): () => void {
  const speakers = speakersOfPage();
  let isWaiting = false;
  const speaker: Speaker = {
    begunAt: 0,
    wait() {
      // The visitor has paused it already.
      if (speech.paused) return;
      isWaiting = true;
      party.line?.deliver({ type: "clear-buffer", data: {} });
      speech.pause();
    },
    goOn() {
      const rest = speech.paused ?? [];
      isWaiting = false;
      speech.paused = null;
      for (const utterance of rest) {
        speech.enqueue(utterance);
        party.line?.deliver({ type: "ttstf", data: { message: utterance.text } });
      }
      if (rest.length === 0) leave();
    },
  };
  function leave(): void {
    if (!speakers.includes(speaker)) return;
    leaveSpeaking(speakers, speaker);
    tellFrames(speakers);
  }
  speech.events.on("change", () => {
    if (speech.speaking) {
      if (speakers.at(-1) !== speaker) {
        speaker.begunAt = Date.now() + Math.random();
        beginSpeaking(speakers, speaker);
      }
      tellFrames(speakers);
    } else if (!speech.pending && !(isWaiting && speech.paused)) {
      isWaiting = false;
      leave();
    }
  });
  return leave;
}
