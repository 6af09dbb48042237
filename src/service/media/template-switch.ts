import type { WantedTemplate } from "./media-engine.ts";
import type { Pending } from "./order-book.ts";

/** A client that switches faster gets the last of what it asked for: a new character costs the process up to 100 ms. */
const switchEveryMs = 500;

/** What a switch asks of, and tells, its session. */
export interface TemplateSwitchEvents {
  /** Asks for the character file of a look. */
  find(wanted: WantedTemplate): Pending<string | null>;
  /** Makes ready what drawing this character takes. Rejects where it cannot be drawn. */
  prepare(characterFile: string): Promise<void>;
  /** The character is ready: it is to be shown from now on. */
  onReady(characterFile: string): void;
  /** The catalogue has no such look. */
  onUnknown(): void;
  /** The character cannot be drawn. */
  onFault(error: unknown): void;
}

/** Changes a session's character as its client asks, one at a time; what plays meanwhile goes on. */
export class TemplateSwitch {
  readonly #events: TemplateSwitchEvents;
  #wanted: WantedTemplate | undefined;
  /** The model that is shown, where it was asked for by name: a dress alone means one of it. */
  #model: string | undefined;
  #finding: Pending<string | null> | undefined;
  #isRunning = false;
  #isClosed = false;

  constructor(events: TemplateSwitchEvents) {
    this.#events = events;
  }

  /** Wants another look. */
  want(template: WantedTemplate): void {
    const model = template.model ?? this.#wanted?.model ?? this.#model;
    this.#wanted = { model, dress: template.dress };
    if (!this.#isRunning) void this.#run();
  }

  /** Nothing is switched any more. */
  close(): void {
    this.#isClosed = true;
    this.#finding?.abandon();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#wanted && !this.#isClosed) {
      const wanted = this.#wanted;
      this.#wanted = undefined;
      await this.#switchTo(wanted).catch((error: unknown) => this.#events.onFault(error));
      await new Promise((resolve) => setTimeout(resolve, switchEveryMs));
    }
    this.#isRunning = false;
  }

  async #switchTo(wanted: WantedTemplate): Promise<void> {
    this.#finding = this.#events.find(wanted);
    const file = await this.#finding.outcome;
    if (file === null) {
      this.#events.onUnknown();
      return;
    }
    await this.#events.prepare(file);
    if (this.#isClosed) return;
    this.#model = wanted.model;
    this.#events.onReady(file);
  }
}
