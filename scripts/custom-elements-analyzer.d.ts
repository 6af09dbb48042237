import type { Package } from "custom-elements-manifest/schema";
import type typescript from "typescript";

/** The analyzer's own declarations leave out what its main module exports. */
declare module "@custom-elements-manifest/analyzer" {
  export const ts: typeof typescript;
  export function create(options: {
    modules: typescript.SourceFile[];
    plugins: Plugin[];
    context: { dev: boolean };
  }): Package;
}
