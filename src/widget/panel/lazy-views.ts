import { Later } from "./lazy-module.ts";

/** What the first frame does without, with its styles. */
export class LateModules {
  readonly #arrived: (css: string) => void;
  /** Name, tools, nameplate, words and dock: all of the panel but its frame and its picture. */
  readonly chrome = this.#later(
    () => import("./chrome.ts"),
    ({ chromeCss, addFonts }) => {
      addFonts();
      return chromeCss;
    },
  );
  readonly text = this.#later(
    () => this.#onChrome(import("../transcript/transcript-view.ts")),
    ({ textCss }) => textCss,
  );
  readonly pages = this.#later(
    () => this.#onChrome(import("./pages.ts")),
    ({ pagesCss }) => pagesCss,
  );
  readonly sill = this.#later(
    () => this.#onChrome(import("./overlay-controls.ts")),
    ({ sillCss }) => sillCss,
  );
  readonly launcher = this.#later(
    () => import("../launcher/launcher-view.ts"),
    ({ launcherCss }) => launcherCss,
  );

  /** `arrived` is told the styles of each module that has come. */
  constructor(arrived: (css: string) => void) {
    this.#arrived = arrived;
  }

  /** These views stand on the panel's own parts, and their styles on its styles. */
  async #onChrome<Module>(view: Promise<Module>): Promise<Module> {
    const [module, chrome] = await Promise.all([view, this.chrome.load()]);
    if (!chrome) throw new Error("The panel's parts could not be fetched.");
    return module;
  }

  #later<Module>(fetch: () => Promise<Module>, css: (module: Module) => string): Later<Module> {
    return new Later(fetch, (module) => {
      this.#arrived(css(module));
    });
  }
}
