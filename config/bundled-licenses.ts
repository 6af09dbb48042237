import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** A module's package: its folder, and its name. */
const packageOf = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//;

/** The text of a package's licence. Throws if the package has no licence file. */
function licenseOf(home: string, name: string): string {
  const file = readdirSync(home).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence file, so its code cannot be bundled.`);
  return readFileSync(join(home, file), "utf8");
}

/** Adds the licence of each package whose code a build takes in, as `licenses/<name>.txt`, to what the build writes. */
export const bundledLicenses: Plugin = {
  name: "bundled-licenses",
  generateBundle(_, bundle) {
    const homes = new Map<string, string>();
    for (const output of Object.values(bundle))
      for (const id of output.type === "chunk" ? output.moduleIds : output.originalFileNames) {
        const [, home, name] = packageOf.exec(id.replace("\0", "")) ?? [];
        if (home !== undefined && name !== undefined) homes.set(name, home);
      }
    for (const [name, home] of homes)
      this.emitFile({
        type: "asset",
        fileName: `licenses/${name.replace("/", "__")}.txt`,
        source: licenseOf(home, name),
      });
  },
};
