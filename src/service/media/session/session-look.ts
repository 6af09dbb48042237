import type { FoundTemplate, WantedTemplate } from "../media-engine.ts";
import type { Pending } from "../processes/order-book.ts";
import type { ServerMessage } from "../../../protocol/session/data-channel.ts";
import type { DrawnTemplate } from "../../../protocol/characters/drawn-template.ts";
import type { SessionFace } from "./session-face.ts";

/**
 * The shortest time between two switches, because a new character costs the process up to 100 ms. Of several requests within
 * that time, only the last counts.
 */
const switchEveryMs = 500;

/** Requests and reports of a switch to its session. */
interface TemplateSwitchEvents {
  /** Requests a look. */
  find(wanted: WantedTemplate): Pending<FoundTemplate | null>;
  /** Prepares this look for drawing. Resolves with whether it can be shown; rejects if its character cannot be drawn. */
  prepare(found: FoundTemplate): Promise<boolean>;
  /** The look is ready and must be shown from now on. */
  onReady(found: FoundTemplate): void;
  /** The catalogue has no such look that can be shown. */
  onUnknown(): void;
  /** The character cannot be drawn. */
  onFault(error: unknown): void;
}

/** Changes a session's character when its client requests it, one at a time. Speech continues meanwhile. */
class TemplateSwitch {
  readonly #events: TemplateSwitchEvents;
  #wanted: WantedTemplate | undefined;
  /** The current model, if it was requested by name. A dress without a model is a dress of this model. */
  #model: string | undefined;
  #finding: Pending<FoundTemplate | null> | undefined;
  #isRunning = false;
  #isClosed = false;

  constructor(events: TemplateSwitchEvents) {
    this.#events = events;
  }

  /** Requests another look. */
  want(template: WantedTemplate): void {
    const model = template.model ?? this.#wanted?.model ?? this.#model;
    this.#wanted = { model, dress: template.dress };
    if (!this.#isRunning) void this.#run();
  }

  /** Cancels the current switch and starts no other. */
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
    const found = await this.#finding.outcome;
    if (!found || !(await this.#events.prepare(found))) {
      this.#events.onUnknown();
      return;
    }
    if (this.#isClosed) return;
    this.#model = wanted.model;
    this.#events.onReady(found);
  }
}

/** Dependencies of a session's look. */
interface SessionLookOptions {
  /** Requests a look of the catalogue. */
  find(wanted: WantedTemplate): Pending<FoundTemplate | null>;
  /** Null if only the client draws. */
  face: Pick<SessionFace, "prepareCharacter" | "takeCharacter"> | null;
  send(message: ServerMessage): void;
  /** The catalogue does not have the look that the client requested, or it cannot be drawn here. */
  onUnknown(): void;
  onFault(detail: string): void;
}

/** What a session's avatar looks like, once its client has changed that. Clients are told, because they may draw it themselves. */
export class SessionLook {
  readonly #options: SessionLookOptions;
  readonly #switch: TemplateSwitch;
  /** Undefined while it is the session's first one. */
  #drawn: DrawnTemplate | undefined;

  constructor(options: SessionLookOptions) {
    this.#options = options;
    this.#switch = new TemplateSwitch({
      find: (wanted) => options.find(wanted),
      prepare: async ({ characterFile }) => {
        if (!options.face) return true;
        if (characterFile !== null) await options.face.prepareCharacter(characterFile);
        return characterFile !== null;
      },
      onReady: (found) => this.#take(found),
      onUnknown: () => options.onUnknown(),
      onFault: (error) => options.onFault(String(error)),
    });
  }

  /** Switches to another look as soon as it is ready. */
  want(template: WantedTemplate): void {
    this.#switch.want(template);
  }

  /** Tells the client of a look that differs from the session's first one: this client may be another one. */
  announce(): void {
    if (this.#drawn) this.#options.send({ type: "template", data: { ...this.#drawn } });
  }

  /** Changes nothing any more. */
  close(): void {
    this.#switch.close();
  }

  #take({ characterFile, drawn }: FoundTemplate): void {
    if (characterFile !== null) this.#options.face?.takeCharacter(characterFile);
    this.#drawn = drawn;
    this.announce();
  }
}
