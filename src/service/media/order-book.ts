import type {
  MessageFromProcess,
  MessageToProcess,
  OrderHooks,
  OrderOutcome,
  OrderSubject,
} from "./media-ipc.ts";
import { SpeechParts } from "./speech-parts.ts";

/** Something that was ordered of the service. */
export interface Pending<Outcome> {
  /** Never rejects; never comes once it was abandoned. */
  outcome: Promise<Outcome>;
  /** Says that nobody waits for it any more. */
  abandon(): void;
}

/** Orders something of the service by the hook that makes it. */
export type PlaceOrder = <Hook extends OrderHooks>(
  sessionId: string,
  hook: Hook,
  subject: OrderSubject<Hook>,
) => Pending<OrderOutcome<Hook>>;

type Delivery = Extract<MessageToProcess, { type: "speech-part" | "delivery" }>;

/** What a media process has ordered of the service and has not got yet. */
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
      this.#awaited.set(orderId, resolve as (outcome: OrderOutcome) => void),
    );
    const order = { hook, subject } as Extract<MessageFromProcess, { type: "order" }>["order"];
    this.#tell({ type: "order", orderId, sessionId, order });
    return {
      outcome,
      abandon: () => {
        if (this.#awaited.delete(orderId)) this.#tell({ type: "abandon-order", orderId });
      },
    };
  };

  /** Takes what the service delivers. */
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
