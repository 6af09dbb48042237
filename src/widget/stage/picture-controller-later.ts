import type { ReactiveController } from "lit";
import type { measureLayout } from "../motion/layout-motion.ts";
import type { PanelHost } from "../panel/panel-host.ts";
import type { SessionController } from "../session/session-controller.ts";
import type * as here from "./picture-controller.ts";

type Full = here.PictureController;
type Look = Parameters<Full["show"]>[0];

/**
 * Takes the place of `picture-controller.ts` in the widget for conversations in writing. The small picture in the panel's header is the
 * launcher's own; the stage is loaded where a larger one or a video is shown.
 */
export class PictureController implements Pick<Full, keyof Full>, ReactiveController {
  readonly #host: PanelHost;
  readonly #session: SessionController;
  readonly #handleFirstFrame: () => void;
  readonly #view = document.createElement("div");
  readonly #image = new Image();
  #look: Look | null = null;
  #full: Full | null = null;
  #isLoading = false;
  #glide: ReturnType<typeof measureLayout> | undefined;

  constructor(host: PanelHost, session: SessionController, handleFirstFrame: () => void) {
    this.#host = host;
    this.#session = session;
    this.#handleFirstFrame = handleFirstFrame;
    this.#view.className = "vv-view";
    this.#view.setAttribute("part", "window");
    this.#image.className = "vv-still";
    this.#image.alt = "";
    host.addController(this);
  }

  get element(): HTMLElement {
    return this.#full?.element ?? this.#view;
  }

  /** On a circle the ring begins at its top. */
  get ringStart(): number {
    return this.#full?.ringStart ?? 0;
  }

  prepare(look: Look): void {
    if (this.#session.current?.mode === "text") this.show(look);
    else void this.#load(look);
  }

  show(look: Look): void {
    this.#look = look;
    this.#full?.show(look);
    const still = this.#session.context?.model_style.still ?? look.still;
    if (this.#full || !still || still === this.#image.getAttribute("src")) return;
    this.#image.src = still;
    this.#view.append(this.#image);
  }

  hostDisconnected(): void {
    // The full one releases what it has by itself.
  }

  hostUpdated(): void {
    const { context, current } = this.#session;
    const { model } = this.#host;
    if (!this.#look || !context || !model?.drawn) return;
    const isSmall = model.layout.plain && model.mode === "text" && this.#image.src;
    if (!isSmall || current?.mode !== "text") void this.#load(this.#look);
  }

  measure(chrome: { measureLayout: typeof measureLayout } | undefined): void {
    this.#glide ??= chrome?.measureLayout(this.#host.renderRoot);
  }

  glide(moves: boolean, reduced: boolean): void {
    if (moves) this.#glide?.(reduced);
    this.#glide = null;
  }

  adapt(module: Parameters<Full["adapt"]>[0]): void {
    this.#full?.adapt(module);
  }

  async #load(look: Look): Promise<void> {
    this.#look = look;
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      const { PictureController: Loaded } = await import("./picture-controller.ts");
      this.#full = new Loaded(this.#host, this.#session, this.#handleFirstFrame);
      this.#full.prepare(this.#look);
      // The panel is drawn again, with the other element.
      this.#host.requestUpdate();
    } catch {
      this.#isLoading = false;
    }
  }
}
