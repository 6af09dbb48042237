import type { Package } from "custom-elements-manifest/schema";
import type typescript from "typescript";

/** Exports of the analyzer's main module that are missing in its own declarations. */
declare module "@custom-elements-manifest/analyzer" {
  export const ts: typeof typescript;
  export function create(options: {
    modules: typescript.SourceFile[];
    plugins: Plugin[];
    context: { dev: boolean };
  }): Package;
}
