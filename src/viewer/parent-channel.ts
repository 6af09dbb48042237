import {
  viewerCommandSchema,
  type ViewerCommand,
  type ViewerEvent,
} from "../protocol/page/viewer-message.ts";

/** What the channel needs from its page. */
export interface ParentChannelOptions {
  /** The window around the viewer. */
  parent: Pick<Window, "postMessage">;
  /** The parent's origin, if the browser tells it. Otherwise the first message does. */
  parentOrigin: string | null;
  /** Asks the relay whether pages of the origin may use the context. */
  confirm(origin: string): Promise<boolean>;
  /** Runs a command of an allowed parent. */
  run(command: ViewerCommand): void;
}

/** How many events wait for the parent to be confirmed: more than a start sends. */
const waitingMax = 100;

/**
 * The messages between the viewer and the page around it. It posts to one origin only, never to `*`: the parent's, as
 * the browser names it, after the relay has confirmed it.
 */
export class ParentChannel {
  readonly #options: ParentChannelOptions;
  readonly #answers = new Map<string, Promise<boolean>>();
  #waiting: ViewerEvent[] = [];
  #confirmed: string | null = null;

  constructor(options: ParentChannelOptions) {
    this.#options = options;
    if (options.parentOrigin !== null) void this.#admit(options.parentOrigin);
  }

  /** Posts an event of the element, now or as soon as the parent is confirmed. */
  post(type: string, detail: unknown): void {
    const event: ViewerEvent = { source: "visavis", type, detail };
    if (this.#confirmed !== null) this.#options.parent.postMessage(event, this.#confirmed);
    else if (this.#waiting.length < waitingMax) this.#waiting.push(event);
  }

  /** Receives a message of the window. Everything but a valid command of an allowed parent is ignored. */
  async receive(message: Pick<MessageEvent, "source" | "origin" | "data">): Promise<void> {
    if (message.source !== this.#options.parent) return;
    const command = viewerCommandSchema.safeParse(message.data);
    if (command.success && (await this.#admit(message.origin))) this.#options.run(command.data);
  }

  /** A parent has one origin: once it is known, messages of others are ignored. */
  async #admit(origin: string): Promise<boolean> {
    if (this.#confirmed === null && (await this.#isAllowed(origin))) this.#open(origin);
    return origin === this.#confirmed;
  }

  #isAllowed(origin: string): Promise<boolean> {
    const answer = this.#answers.get(origin) ?? this.#options.confirm(origin).catch(() => false);
    this.#answers.set(origin, answer);
    return answer;
  }

  #open(origin: string): void {
    if (this.#confirmed !== null) return;
    this.#confirmed = origin;
    for (const event of this.#waiting) this.#options.parent.postMessage(event, origin);
    this.#waiting = [];
  }
}
