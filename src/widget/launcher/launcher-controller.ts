import type { Ring } from "../panel/view.ts";

const intents = ["pointerenter", "focus"] as const;

/** The launcher's parts that the widget works with, whoever drew them. */
interface LauncherParts {
  readonly box: HTMLElement;
  readonly button: HTMLButtonElement;
}

/** What a launcher shows of the panel and its session. */
export interface LauncherLook {
  hidden: boolean;
  expanded: boolean;
  ring: Ring;
  /** Null: as it is. */
  label: string | null;
}

function findParts(root: ShadowRoot): LauncherParts | null {
  const box = root.querySelector<HTMLElement>(".vv-launch");
  const button = box?.querySelector<HTMLButtonElement>(".vv-porthole");
  return box && button ? { box, button } : null;
}

/** The launcher beside a panel: the loader's own, which is kept as it is so that no click is lost, or one that the panel draws. */
export class Launcher {
  #parts: LauncherParts | null = null;
  readonly #onPress: () => void;
  readonly #onReach: () => void;

  /** `onPress` is called at each click, `onReach` once when a visitor is about to. */
  constructor(onPress: () => void, onReach: () => void) {
    this.#onPress = onPress;
    this.#onReach = onReach;
  }

  get button(): HTMLButtonElement | null {
    return this.#parts?.button ?? null;
  }

  /** Takes the launcher that stands in the root. */
  adopt(root: ShadowRoot): void {
    const parts = findParts(root);
    if (!parts || parts.button === this.button) return;
    this.#parts = parts;
    parts.button.addEventListener("click", this.#onPress);
    for (const intent of intents) parts.button.addEventListener(intent, this.#onReach, { once: true });
  }

  show({ hidden, expanded, ring, label }: LauncherLook): void {
    if (!this.#parts) return;
    const { box, button } = this.#parts;
    box.style.visibility = hidden ? "hidden" : "";
    button.setAttribute("aria-expanded", String(expanded));
    if (label) button.setAttribute("aria-label", label);
    button.querySelector("[data-ring]")?.setAttribute("data-ring", ring);
  }
}
