import { Later } from "./later.ts";

/** Views that the first frame does without, with their styles. */
export class LateModules {
  readonly #arrived: (css: string) => void;
  readonly text = this.#later(
    () => import("./text-view.ts"),
    ({ textCss }) => textCss,
  );
  readonly pages = this.#later(
    () => import("./pages.ts"),
    ({ pagesCss }) => pagesCss,
  );
  readonly sill = this.#later(
    () => import("./sill.ts"),
    ({ sillCss }) => sillCss,
  );
  readonly launcher = this.#later(
    () => import("./drawn-launcher.ts"),
    ({ launcherCss }) => launcherCss,
  );

  /** `arrived` is told the styles of each module that has come. */
  constructor(arrived: (css: string) => void) {
    this.#arrived = arrived;
  }

  #later<Module>(fetch: () => Promise<Module>, css: (module: Module) => string): Later<Module> {
    return new Later(fetch, (module) => {
      this.#arrived(css(module));
    });
  }
}
