import type { PlayableSpeech } from "./media-engine.ts";
import type { MessageToProcess, OrderOutcome } from "./media-ipc.ts";

/** Samples in a part: a process takes one in about a millisecond, where minutes at once would stall its clock. */
const partLength = 131_072;

type SpeechPart = Extract<MessageToProcess, { type: "speech-part" }>;

/** The messages that deliver an outcome: long speech comes in parts, of which the delivery itself holds none. */
export function* deliveryOf(orderId: number, outcome: OrderOutcome): Generator<MessageToProcess> {
  const speech = speechOf(outcome);
  if (!speech || speech.pcm.length <= partLength) {
    yield { type: "delivery", orderId, outcome };
    return;
  }
  const totalLength = speech.pcm.length;
  for (let at = 0; at < totalLength; at += partLength)
    yield { type: "speech-part", orderId, at, totalLength, pcm: speech.pcm.slice(at, at + partLength) };
  yield { type: "delivery", orderId, outcome: { ok: true, speech: { ...speech, pcm: new Int16Array() } } };
}

/** Puts the parts of long speech together again. */
export class SpeechParts {
  readonly #begun = new Map<number, Int16Array>();

  take({ orderId, at, totalLength, pcm }: SpeechPart): void {
    const whole = this.#begun.get(orderId) ?? new Int16Array(totalLength);
    whole.set(pcm, at);
    this.#begun.set(orderId, whole);
  }

  /** The outcome with the speech that came in parts, if it did. */
  completed(orderId: number, outcome: OrderOutcome): OrderOutcome {
    const pcm = this.#begun.get(orderId);
    this.#begun.delete(orderId);
    const speech = speechOf(outcome);
    return pcm && speech ? { ok: true, speech: { ...speech, pcm } } : outcome;
  }
}

function speechOf(outcome: OrderOutcome): PlayableSpeech | undefined {
  const isSpeech = typeof outcome === "object" && outcome !== null && "ok" in outcome && outcome.ok;
  return isSpeech && "speech" in outcome ? outcome.speech : undefined;
}
