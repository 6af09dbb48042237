import { availableParallelism } from "node:os";

/** The most of them at once: half of the processors stay free. */
const runningMax = Math.max(1, Math.floor(availableParallelism() / 2));

/** Recognitions that may turn out to be needless. They run only while no other one does, so that nobody waits for them. */
export class SpeculativeRecognitions {
  readonly #runningMax: number;
  #running = 0;
  #certain = 0;

  constructor(max = runningMax) {
    this.#runningMax = max;
  }

  /** Whether one may run now. */
  get mayRun(): boolean {
    return this.#certain === 0 && this.#running < this.#runningMax;
  }

  /** Runs one. */
  async run<Result>(recognize: () => Promise<Result>): Promise<Result> {
    this.#running++;
    try {
      return await recognize();
    } finally {
      this.#running--;
    }
  }

  /** Runs a recognition that is needed. */
  async runCertain<Result>(recognize: () => Promise<Result>): Promise<Result> {
    this.#certain++;
    try {
      return await recognize();
    } finally {
      this.#certain--;
    }
  }
}
