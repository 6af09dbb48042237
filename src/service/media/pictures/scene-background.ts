import type { Background, Backdrops } from "./backdrops.ts";
import type { Pending } from "../processes/order-book.ts";

/** If the background is not loaded after this time, pictures start without it. */
const waitMs = 1_000;

/** Requests and reports of a scene's background to its session. */
export interface SceneBackgroundEvents {
  /** Requests the bytes of the image. */
  order(image: string): Pending<Uint8Array | null>;
  /** The background is loaded, or is no longer awaited: the picture must be drawn again. */
  onChange(): void;
  onFault(detail: string): void;
}

/** The background of a session's finished pictures. It is requested when a picture needs it and shown when it is loaded. */
export class SceneBackground {
  readonly #image: string | null;
  readonly #backdrops: Backdrops;
  readonly #events: SceneBackgroundEvents;
  #background: Background | undefined;
  #pending: Pending<Uint8Array | null> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isAwaited = false;
  #isClosed = false;

  /** `image` is its name in the service; null if the session has none. */
  constructor(image: string | null, backdrops: Backdrops, events: SceneBackgroundEvents) {
    this.#image = image;
    this.#backdrops = backdrops;
    this.#events = events;
  }

  /** The name of the background, and its image if it is loaded. */
  get current(): { name: string | null; background: Background | undefined } {
    return { name: this.#image, background: this.#background };
  }

  /** Whether pictures must wait for it. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** Loads the background, because a picture needs it from now on. */
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
