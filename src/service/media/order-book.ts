import type {
  MessageFromProcess,
  MessageToProcess,
  OrderHooks,
  OrderOutcome,
  OrderSubject,
} from "./media-ipc.ts";
import { SpeechParts } from "./speech-parts.ts";

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
