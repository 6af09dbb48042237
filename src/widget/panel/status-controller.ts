import type { TextKey } from "../texts/texts.ts";
import type { View } from "./view.ts";

const settleMs = 1_000;
const told: ReadonlySet<TextKey> = new Set(["connecting", "ready", "listening", "reconnecting"]);

/** The state for a screen reader: said when it has held for a second; thinking and speaking are heard anyway. */
export class SettledStatus {
  text: TextKey | null = null;
  #next: TextKey | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  see({ plate }: View): void {
    const word = plate.kind === "status" && told.has(plate.word) ? plate.word : null;
    if (word === this.#next) return;
    this.#next = word;
    clearTimeout(this.#timer);
    if (!word) return;
    this.#timer = setTimeout(() => {
      this.text = word;
      this.#changed();
    }, settleMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
