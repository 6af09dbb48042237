import type { PlayableSpeech } from "./media-engine.ts";
import type { MessageToProcess, OrderOutcome } from "./media-ipc.ts";

/** Samples per part. A process receives a part in about a millisecond; minutes of audio at once would stall its clock. */
const partLength = 131_072;

type SpeechPart = Extract<MessageToProcess, { type: "speech-part" }>;

/** The messages that deliver an outcome. Long speech is sent in parts first; the delivery itself then has no samples. */
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

/** Joins the parts of long speech. */
export class SpeechParts {
  readonly #begun = new Map<number, Int16Array>();

  take({ orderId, at, totalLength, pcm }: SpeechPart): void {
    const whole = this.#begun.get(orderId) ?? new Int16Array(totalLength);
    whole.set(pcm, at);
    this.#begun.set(orderId, whole);
  }

  /** The outcome, with the speech joined if it was sent in parts. */
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
