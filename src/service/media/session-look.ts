import type { ServerMessage } from "../../protocol/data-channel.ts";
import type { DrawnTemplate } from "../../protocol/drawn-template.ts";
import type { FoundTemplate, WantedTemplate } from "./media-engine.ts";
import type { Pending } from "./order-book.ts";
import type { SessionFace } from "./session-face.ts";
import { TemplateSwitch } from "./template-switch.ts";

/** Dependencies of a session's look. */
export interface SessionLookOptions {
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
