import type { PlayableSpeech } from "../media-engine.ts";
import type {
  MessageFromProcess,
  MessageToProcess,
  OrderHooks,
  OrderOutcome,
  OrderSubject,
} from "./media-ipc.ts";

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

/** A request to the service that is still open. */
export interface Pending<Outcome> {
  /** Never rejects. Never settles after `abandon()`. */
  outcome: Promise<Outcome>;
  /** Cancels the request: its outcome is no longer needed. */
  abandon(): void;
}

/** Sends a request to the service, which runs the hook and returns its result. */
export type PlaceOrder = <Hook extends OrderHooks>(
  sessionId: string,
  hook: Hook,
  subject: OrderSubject<Hook>,
) => Pending<OrderOutcome<Hook>>;

type Delivery = Extract<MessageToProcess, { type: "speech-part" | "delivery" }>;

/** The open requests of a media process to the service. */
export class OrderBook {
  readonly #tell: (message: MessageFromProcess) => void;
  readonly #awaited = new Map<number, (outcome: OrderOutcome) => void>();
  readonly #parts = new SpeechParts();
  #lastId = 0;

  constructor(tell: (message: MessageFromProcess) => void) {
    this.#tell = tell;
  }

  readonly place: PlaceOrder = (sessionId, hook, subject) => {
    const orderId = ++this.#lastId;
    type Outcome = OrderOutcome<typeof hook>;
    const outcome = new Promise<Outcome>((resolve) =>
      // eslint-disable-next-line no-restricted-syntax -- the service answers an order with the outcome of its own hook
      this.#awaited.set(orderId, resolve as (outcome: OrderOutcome) => void),
    );
    // eslint-disable-next-line no-restricted-syntax -- the parameters' types tie the subject to the hook
    const order = { hook, subject } as Extract<MessageFromProcess, { type: "order" }>["order"];
    this.#tell({ type: "order", orderId, sessionId, order });
    return {
      outcome,
      abandon: () => {
        if (this.#awaited.delete(orderId)) this.#tell({ type: "abandon-order", orderId });
      },
    };
  };

  /** Handles a delivery of the service. */
  take(message: Delivery): void {
    if (message.type === "speech-part") {
      this.#parts.take(message);
      return;
    }
    const { orderId } = message;
    this.#awaited.get(orderId)?.(this.#parts.completed(orderId, message.outcome));
    this.#awaited.delete(orderId);
  }
}
