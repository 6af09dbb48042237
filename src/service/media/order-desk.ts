import type { MediaHooks } from "./media-engine.ts";
import type { MessageFromProcess, OrderHooks, OrderOutcome } from "./media-ipc.ts";
import { deliveryOf } from "./speech-parts.ts";
import type { SupervisedProcess } from "./supervised-process.ts";

type OrderMessage = Extract<MessageFromProcess, { type: "order" }>;

/** What is delivered where a hook breaks its word and rejects. */
const fault: OrderOutcome = { ok: false, code: "engine_failed", detail: "The engine failed." };

/** Hooks that answer null for what is not to be had. */
const nullable: ReadonlySet<OrderHooks> = new Set(["characterFile", "background"]);

/** Has made what media processes order, and stops what they no longer want. */
export class OrderDesk {
  readonly #hooks: Pick<MediaHooks, OrderHooks>;
  readonly #orders = new Map<SupervisedProcess, Map<number, AbortController>>();

  constructor(hooks: Pick<MediaHooks, OrderHooks>) {
    this.#hooks = hooks;
  }

  take(process: SupervisedProcess, message: OrderMessage): void {
    const { orderId } = message;
    const controller = new AbortController();
    const orders = this.#orders.get(process) ?? new Map<number, AbortController>();
    this.#orders.set(process, orders.set(orderId, controller));
    void this.#made(message, controller.signal)
      .catch(() => (nullable.has(message.order.hook) ? null : fault))
      .then((outcome) => {
        if (orders.delete(orderId)) return process.sendInTurn(deliveryOf(orderId, outcome));
      });
  }

  abandon(process: SupervisedProcess, orderId: number): void {
    const orders = this.#orders.get(process);
    const controller = orders?.get(orderId);
    orders?.delete(orderId);
    controller?.abort();
  }

  /** The process is gone. */
  abandonAll(process: SupervisedProcess): void {
    for (const orderId of [...(this.#orders.get(process)?.keys() ?? [])]) this.abandon(process, orderId);
    this.#orders.delete(process);
  }

  async #made({ sessionId, order }: OrderMessage, signal: AbortSignal): Promise<OrderOutcome> {
    switch (order.hook) {
      case "synthesize":
        return this.#hooks.synthesize(sessionId, order.subject, signal);
      case "lipSync":
        return this.#hooks.lipSync(sessionId, order.subject, signal);
      case "recognize":
        return this.#hooks.recognize(sessionId, order.subject, signal);
      case "translate":
        return this.#hooks.translate(sessionId, order.subject, signal);
      case "characterFile":
        return this.#hooks.characterFile(sessionId, order.subject, signal);
      case "background":
        return this.#hooks.background(sessionId, order.subject, signal);
    }
  }
}
