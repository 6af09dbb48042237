import {
  html,
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from "lit";
import { announce } from "../session/element-events.ts";
import type { Translate } from "../texts/texts.ts";

/** The modules that the first frame does not need, each with its style sheet as `css`. */
const imports = {
  /** Top bar, badge, caption bar and controls. The other views of the panel build on it. */
  chrome: () => import("./chrome.ts"),
  overlay: () => import("./controls/overlay-controls.ts"),
  /** The style sheet of a variant. */
  compact: () => import("../styles/compact.ts"),
  pages: () => import("./pages.ts"),
  settings: () => import("../settings/settings.ts"),
  transcript: () => import("../transcript/transcript-view.ts"),
  /** Answers with formatting: the Markdown parser comes with it. */
  formatted: () => import("../rich/formatted-text.ts"),
  /** The microphone, where visitors may speak. */
  voice: () => import("../voice/voice.ts"),
  /** Buttons, cards, forms, and the ways to a person. */
  rich: () => import("../rich/rich-view.ts"),
  launcher: () => import("../launcher/launcher-view.ts"),
  /** Languages other than English. */
  languages: () => import("../texts/languages.ts"),
  /** The avatar, where the browser draws it. */
  drawing: () => import("../drawing/drawing-choice.ts"),
  extras: () => import("../launcher/launcher-extras.ts"),
};

export type ViewName = keyof typeof imports;
/** Views whose style sheets do not build on chrome's. */
const standalone: readonly ViewName[] = ["chrome", "launcher", "extras", "drawing", "languages", "settings"];
type Modules = { [Name in ViewName]: Awaited<ReturnType<(typeof imports)[Name]>> };
type LoadedViews = { [Name in ViewName]?: Modules[Name] };

/** Loads views when they are needed or will be soon, and keeps those that could not be loaded for another try. */
export class LazyViews implements ReactiveController {
  readonly loaded: LoadedViews = {};
  readonly #loads = new Map<ViewName, Promise<void>>();
  readonly #failed = new Set<ViewName>();
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #adopt: (css: string) => void;
  #needed: readonly ViewName[] = [];

  /** `adopt` is given the style sheet of each module before it is drawn. */
  constructor(host: ReactiveControllerHost & HTMLElement, adopt: (css: string) => void) {
    this.#host = host;
    this.#adopt = adopt;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener("online", this.retry);
  }

  hostDisconnected(): void {
    removeEventListener("online", this.retry);
  }

  /** Sets the views that are needed now, and loads them. */
  need(names: readonly ViewName[]): void {
    this.#needed = names;
    for (const name of names) if (!this.#failed.has(name)) void this.load(name);
  }

  /** Whether a view that is needed could not be loaded. */
  get failed(): boolean {
    return this.#needed.some((name) => this.#failed.has(name));
  }

  /** Loads again what could not be loaded. */
  readonly retry = (): void => {
    this.#failed.clear();
    this.#host.requestUpdate();
  };

  /** Loads a view. Resolves when it can be drawn, or has failed. */
  load(name: ViewName): Promise<void> {
    const load = this.#loads.get(name) ?? this.#import(name);
    this.#loads.set(name, load);
    return load;
  }

  async #import(name: ViewName): Promise<void> {
    try {
      // The style sheets build on each other, so chrome's comes first.
      const chrome = standalone.includes(name) ? null : this.load("chrome");
      const module = await imports[name]();
      await chrome;
      if (chrome && !this.loaded.chrome) throw new Error("chrome");
      this.#adopt(module.css);
      Object.assign(this.loaded, { [name]: module });
    } catch {
      this.#loads.delete(name);
      // What was only loaded ahead is loaded again when it is needed.
      if (this.#needed.includes(name)) {
        this.#failed.add(name);
        announce(this.#host, "error", {
          code: "network",
          message: `The view "${name}" could not be loaded.`,
        });
      }
    }
    this.#host.requestUpdate();
  }
}

/** Stands where a view could not be loaded. `close` is null where the panel cannot be closed. */
export function loadError(t: Translate, retry: () => void, close: (() => void) | null): TemplateResult {
  return html`<div class="vv-failed" role="alert">
    <p>${t("load_error")}</p>
    <button type="button" data-main @click=${retry}>${t("retry")}</button>
    ${close ? html`<button type="button" @click=${close}>${t("close")}</button>` : nothing}
  </div>`;
}
