import type { Background, Backdrops } from "./backdrops.ts";
import type { Pending } from "./order-book.ts";

/** A background that has not come after so long is not waited for any more: pictures begin without it. */
const waitMs = 1_000;

/** What a scene's background asks of, and tells, its session. */
export interface SceneBackgroundEvents {
  /** Asks for the image's bytes. */
  order(image: string): Pending<Uint8Array | null>;
  /** The background came, or is not waited for any more: what was drawn without it is to be drawn anew. */
  onChange(): void;
  onFault(detail: string): void;
}

/** The background of a session's finished pictures: ordered when a picture needs it, shown when it comes. */
export class SceneBackground {
  readonly #image: string | null;
  readonly #backdrops: Backdrops;
  readonly #events: SceneBackgroundEvents;
  #background: Background | undefined;
  #pending: Pending<Uint8Array | null> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isAwaited = false;
  #isClosed = false;

  /** `image` names it for the service; null where the session has none. */
  constructor(image: string | null, backdrops: Backdrops, events: SceneBackgroundEvents) {
    this.#image = image;
    this.#backdrops = backdrops;
    this.#events = events;
  }

  /** The background as far as it is there. */
  get current(): { name: string | null; background: Background | undefined } {
    return { name: this.#image, background: this.#background };
  }

  /** Whether pictures are to wait for it. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** A picture needs it from now on. */
  need(): void {
    if (this.#image === null || this.#background || this.#pending || this.#isClosed) return;
    this.#background = this.#backdrops.loaded(this.#image);
    if (this.#background) return;
    this.#isAwaited = true;
    this.#timer = setTimeout(() => this.#settle(), waitMs);
    this.#pending = this.#events.order(this.#image);
    void this.#load(this.#image, this.#pending.outcome);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#pending?.abandon();
  }

  async #load(image: string, bytes: Promise<Uint8Array | null>): Promise<void> {
    try {
      const loaded = await bytes;
      if (this.#isClosed) return;
      if (!loaded) throw new Error("The service has no such image.");
      this.#background = await this.#backdrops.load(image, loaded);
    } catch (error) {
      this.#events.onFault(`The background is not shown: ${String(error)}`);
    }
    this.#settle();
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#isAwaited = false;
    if (!this.#isClosed) this.#events.onChange();
  }
}
