import type { ReactiveController, ReactiveControllerHost } from "lit";

/** A finger that touches it enters it too, before the click. */
const intents = ["pointerenter", "focus"] as const;

/** The nodes of the launcher that the widget works with. The loader or the widget has drawn it. */
export interface LauncherParts {
  readonly box: HTMLElement;
  readonly button: HTMLButtonElement;
}

/** What a launcher shows of the panel and its session. */
export interface LauncherState {
  hidden: boolean;
  expanded: boolean;
}

/** What the launcher is for. */
interface LauncherActions {
  /** The visitor has pressed it. */
  press(): void;
  /** The visitor is about to press it. Called each time: what was prepared earlier may be too old. */
  reach(): void;
}

function findParts(root: ShadowRoot): LauncherParts | null {
  const box = root.querySelector<HTMLElement>(".vv-launch");
  const button = box?.querySelector<HTMLButtonElement>(".vv-launcher");
  return box && button ? { box, button } : null;
}

/**
 * The launcher beside a panel: the loader's, which is kept so that no click is lost, or one that the panel draws. A click on one that
 * the visitor has put away only shows it again.
 */
export class LauncherController implements ReactiveController {
  /** The loader has drawn it. */
  external = false;
  #parts: LauncherParts | null = null;
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #actions: LauncherActions;

  constructor(host: ReactiveControllerHost & HTMLElement, actions: LauncherActions) {
    this.#host = host;
    this.#actions = actions;
    host.addController(this);
  }

  /** The launcher's nodes, or null while there is none. */
  get parts(): LauncherParts | null {
    return this.#parts;
  }

  get button(): HTMLButtonElement | null {
    return this.#parts?.button ?? null;
  }

  /** Address of the picture in the loader's launcher. It is in the browser's cache already. */
  get still(): string | null {
    return this.button?.querySelector("img")?.src ?? null;
  }

  /** Looks for the loader's launcher. Called once, before the panel draws. */
  adopt(root: ShadowRoot): void {
    this.#find(root);
    this.external = this.#parts !== null;
  }

  hostUpdated(): void {
    if (!this.external && this.#host.shadowRoot) this.#find(this.#host.shadowRoot);
  }

  show({ hidden, expanded }: LauncherState): void {
    if (!this.#parts) return;
    const { box, button } = this.#parts;
    box.style.visibility = hidden ? "hidden" : "";
    button.setAttribute("aria-expanded", String(expanded));
  }

  #find(root: ShadowRoot): void {
    const parts = findParts(root);
    if (!parts || parts.button === this.button) return;
    this.#parts = parts;
    const { press, reach } = this.#actions;
    parts.button.addEventListener("click", () => {
      if (parts.box.hasAttribute("data-hidden")) parts.box.toggleAttribute("data-hidden");
      else press();
    });
    for (const intent of intents) parts.button.addEventListener(intent, reach);
  }
}
