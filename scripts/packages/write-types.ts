import { rolldown, type Plugin } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { browserEntries, serverEntries } from "../../config/package-entries.ts";

/**
 * zod annotates the variance of some type parameters in a way that the compiler rejects, with `@ts-ignore` on the line before.
 * The bundler puts both on one line, where the comment has no effect, so this plugin removes the annotation.
 */
const withoutIgnoredVariance: Plugin = {
  name: "without-ignored-variance",
  renderChunk: (code) => code.replace(/(@ts-ignore[^*]*\*\/)\s*(?:in out|out|in) /g, "$1 "),
};

/** Indents by tabs, which are half as long. */
const withTabs: Plugin = {
  name: "with-tabs",
  renderChunk: (code) => code.replace(/^(?: {2})+/gm, (spaces) => "\t".repeat(spaces.length / 2)),
};

/** Writes one declaration file for each entry. They need no package except Lit, because the types of bundled code are included. */
export async function writeTypes(folder: string): Promise<void> {
  const build = await rolldown({
    input: { ...browserEntries, ...serverEntries },
    external: /^lit($|\/)/,
    // No warning about slow plugins: the compiler takes most of the time, as expected.
    checks: { bundlerTimings: false },
    plugins: [
      dts({ tsconfig: "config/tsconfig.package.json", emitDtsOnly: true }),
      withoutIgnoredVariance,
      withTabs,
    ],
  });
  await build.write({ dir: folder, chunkFileNames: "chunks/[name].js" });
  await build.close();
}
