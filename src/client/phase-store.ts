import type { SessionEvents } from "./session-events.ts";
import type { Call } from "./call.ts";
import { nextPhase, type PhaseSignal, type SessionPhase } from "./session-phase.ts";
import type { TypedEvents } from "./typed-events.ts";

/** Holds the session's phase and emits an event for each change. */
export class PhaseStore {
  readonly #events: TypedEvents<SessionEvents>;
  #phase: SessionPhase<Call> = { state: "idle" };

  constructor(events: TypedEvents<SessionEvents>) {
    this.#events = events;
  }

  get current(): SessionPhase<Call> {
    return this.#phase;
  }

  /** Changes the phase by a signal, if the signal has an effect in it. */
  apply(signal: PhaseSignal<Call>): void {
    const { state: previous } = this.#phase;
    const phase = (this.#phase = nextPhase(this.#phase, signal));
    const { state } = phase;
    if (state === previous) return;
    const reason =
      phase.state === "ended" ? phase.reason : phase.state === "error" ? phase.error.code : undefined;
    this.#events.emit("statechange", { state, previous, ...(reason && { reason }) });
  }
}
