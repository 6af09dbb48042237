import type { TestResult } from "./results.ts";

/** Percent between two lines. */
const step = 5;

/** Says how far a run is: a line for each twentieth of its tests or files, and one for each failure as it comes. */
export class Progress {
  readonly #startMs = performance.now();
  readonly #total: number;
  #done = 0;
  #failed = 0;
  #next = step;

  constructor(total: number) {
    this.#total = total;
  }

  fail({ file, title }: TestResult): void {
    this.#failed++;
    process.stdout.write(`  ✘ ${file} › ${title}\n`);
  }

  /** One more test, or all those of a file, are done. */
  advance(file: string): void {
    const percent = Math.floor((100 * ++this.#done) / this.#total);
    if (percent < this.#next) return;
    this.#next = percent - (percent % step) + step;
    const seconds = Math.round((performance.now() - this.#startMs) / 1_000);
    const failures = this.#failed > 0 ? `, ${this.#failed} failed` : "";
    process.stdout.write(
      `  ${percent} % · ${this.#done} of ${this.#total} · ${seconds} s${failures} · ${file}\n`,
    );
  }
}
