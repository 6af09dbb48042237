import type { MediaHooks, SpeechOutcome } from "./media-engine.ts";
import type { MessageFromProcess } from "./media-ipc.ts";
import type { SupervisedProcess } from "./supervised-process.ts";

type SpeechOrder = Extract<MessageFromProcess, { type: "synthesize" }>;

/** Has the speech made that media processes ask for, and stops what they no longer want. */
export class SpeechDesk {
  readonly #hooks: Pick<MediaHooks, "synthesize">;
  readonly #orders = new Map<SupervisedProcess, Map<number, AbortController>>();

  constructor(hooks: Pick<MediaHooks, "synthesize">) {
    this.#hooks = hooks;
  }

  synthesize(process: SupervisedProcess, { speechId, sessionId, text }: SpeechOrder): void {
    const controller = new AbortController();
    const orders = this.#orders.get(process) ?? new Map<number, AbortController>();
    this.#orders.set(process, orders.set(speechId, controller));
    const fault: SpeechOutcome = { ok: false, code: "engine_failed", detail: "The speech engine failed." };
    void this.#hooks
      .synthesize(sessionId, text, controller.signal)
      .catch(() => fault)
      .then((outcome) => {
        if (orders.delete(speechId)) process.send({ type: "speech", speechId, outcome });
      });
  }

  abandon(process: SupervisedProcess, speechId: number): void {
    const orders = this.#orders.get(process);
    const controller = orders?.get(speechId);
    orders?.delete(speechId);
    controller?.abort();
  }

  /** The process is gone. */
  abandonAll(process: SupervisedProcess): void {
    for (const speechId of [...(this.#orders.get(process)?.keys() ?? [])]) this.abandon(process, speechId);
    this.#orders.delete(process);
  }
}
