import { copyFileSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Names of the packages whose source is in these built modules, read from the bundler's comments with source file names. */
export function bundledPackages(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".js"))
    .flatMap((file) => [
      ...readFileSync(join(folder, file), "utf8").matchAll(/^\/\/ node_modules\/((?:@[^/\s]+\/)?[^/\s]+)/gm),
    ])
    .map(([, name]) => name!);
  return [...new Set(names)].sort();
}

/** Copies the licence of each package into `folder`, as `<name>.txt`. Throws if a package has no licence file. */
export function copyLicenses(names: readonly string[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of names) {
    const home = join("node_modules", name);
    const file = readdirSync(home).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence file, so its code cannot be bundled.`);
    copyFileSync(join(home, file), join(folder, `${name.replace("/", "__")}.txt`));
  }
}
