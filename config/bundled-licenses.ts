import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** A module's package: its folder, and its name. */
const packageOf = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//;

/** The text of a package's licence: its file, or a README that has all of it. Throws if there is none. */
function licenseOf(home: string, name: string): string {
  const files = readdirSync(home);
  const read = (pattern: RegExp): string | undefined => {
    const file = files.find((entry) => pattern.test(entry));
    return file && readFileSync(join(home, file), "utf8");
  };
  const file = read(/^(?:licen[cs]e|copying)/i);
  if (file !== undefined) return file;
  const readme = read(/^readme/i) ?? "";
  if (/permission is hereby granted/i.test(readme)) return readme;
  throw new Error(`${name} has no licence file, so its code cannot be bundled.`);
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
