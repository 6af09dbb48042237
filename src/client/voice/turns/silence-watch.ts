import type { VoiceState } from "../voice-state.ts";

/** The visitor is told after so long without any sound, in ms. */
const silenceMs = 8_000;
const checkIntervalMs = 250;

/** Tells the visitor when a microphone is on and gives nothing: the fault is `silent` until something is heard. */
export class SilenceWatch {
  readonly #state: VoiceState;
  readonly #isHeard: () => boolean;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param isHeard whether the microphone gives anything now */
  constructor(state: VoiceState, isHeard: () => boolean) {
    this.#state = state;
    this.#isHeard = isHeard;
  }

  /** Watches from now on. */
  start(): void {
    clearInterval(this.#timer);
    let heardAtMs = performance.now();
    this.#timer = setInterval(() => {
      const nowMs = performance.now();
      if (this.#isHeard()) heardAtMs = nowMs;
      const isSilent = nowMs - heardAtMs >= silenceMs;
      if (!isSilent) this.#clearFault();
      else if (!this.#state.status.fault) this.#state.change({ fault: "silent" });
    }, checkIntervalMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#clearFault();
  }

  #clearFault(): void {
    if (this.#state.status.fault === "silent") this.#state.change({ fault: null });
  }
}
