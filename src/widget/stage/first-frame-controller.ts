import type { ReactiveController, ReactiveControllerHost } from "lit";

/** After the first frame, only the picture is drawn for so long. */
const settleMs = 100;

/**
 * Holds back everything that would share network and processor with the first frame of the video. It is `over` shortly
 * after the first frame, or when the frame takes longer than the visitor should wait for the controls.
 */
export class FirstFrameController implements ReactiveController {
  #over = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #host: ReactiveControllerHost;
  readonly #patienceMs: number;

  constructor(host: ReactiveControllerHost, patienceMs: number) {
    this.#host = host;
    this.#patienceMs = patienceMs;
    host.addController(this);
  }

  /** Whether the wait is over. It never begins again. */
  get over(): boolean {
    return this.#over;
  }

  /** The visitor waits for the first frame from now on. Later calls have no effect. */
  wait(): void {
    if (!this.#over) this.#timer ??= setTimeout(() => this.#end(), this.#patienceMs);
  }

  /** A first frame has been drawn. */
  handleFrame(): void {
    if (this.#over) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), settleMs);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #end(): void {
    this.#over = true;
    this.#host.requestUpdate();
  }
}
