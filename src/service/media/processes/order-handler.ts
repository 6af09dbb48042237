import type { MediaHooks } from "../media-engine.ts";
import type { MessageFromProcess, OrderHooks, OrderOutcome } from "./media-ipc.ts";
import { deliveryOf } from "./order-book.ts";
import type { SupervisedProcess } from "./supervised-process.ts";

type OrderMessage = Extract<MessageFromProcess, { type: "order" }>;

/** The outcome if a hook rejects, although it should not. */
const fault: OrderOutcome = { ok: false, code: "engine_failed", detail: "The engine failed." };

/** Hooks whose result is null if something is not available. */
const nullable: ReadonlySet<OrderHooks> = new Set(["hear", "template", "background"]);

/** Runs the hooks for the requests of media processes, and aborts requests that are no longer needed. */
export class OrderHandler {
  readonly #hooks: Pick<MediaHooks, OrderHooks>;
  readonly #orders = new Map<SupervisedProcess, Map<number, AbortController>>();

  constructor(hooks: Pick<MediaHooks, OrderHooks>) {
    this.#hooks = hooks;
  }

  handle(child: SupervisedProcess, message: OrderMessage): void {
    const { orderId } = message;
    const controller = new AbortController();
    const orders = this.#orders.get(child) ?? new Map<number, AbortController>();
    this.#orders.set(child, orders.set(orderId, controller));
    void this.#make(message, controller.signal)
      .catch(() => (nullable.has(message.order.hook) ? null : fault))
      .then((outcome) => {
        if (orders.delete(orderId)) return child.sendInTurn(deliveryOf(orderId, outcome));
      });
  }

  abandon(child: SupervisedProcess, orderId: number): void {
    const orders = this.#orders.get(child);
    const controller = orders?.get(orderId);
    orders?.delete(orderId);
    controller?.abort();
  }

  /** The process is gone. */
  abandonAll(child: SupervisedProcess): void {
    for (const orderId of [...(this.#orders.get(child)?.keys() ?? [])]) this.abandon(child, orderId);
    this.#orders.delete(child);
  }

  async #make({ sessionId, order }: OrderMessage, signal: AbortSignal): Promise<OrderOutcome> {
    switch (order.hook) {
      case "synthesize":
        return this.#hooks.synthesize(sessionId, order.subject, signal);
      case "lipSync":
        return this.#hooks.lipSync(sessionId, order.subject, signal);
      case "hear":
        return this.#hooks.hear(sessionId, order.subject, signal);
      case "recognize":
        return this.#hooks.recognize(sessionId, order.subject, signal);
      case "translate":
        return this.#hooks.translate(sessionId, order.subject, signal);
      case "template":
        return this.#hooks.template(sessionId, order.subject, signal);
      case "background":
        return this.#hooks.background(sessionId, order.subject, signal);
    }
  }
}
