import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { specsOfFolders } from "./specs-of-folders.ts";

/** What a change can affect. All paths begin at the project's root. */
export interface Affected {
  changed: readonly string[];
  /** Those of them that were not removed. */
  existing: readonly string[];
  /** The modules whose unit tests run, with those that import them. */
  sources: readonly string[];
  /** The browser tests that run. */
  specs: readonly string[];
}

const git = (...args: string[]): string[] =>
  execFileSync("git", args, { encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "");

/** The files that differ from the last commit, new ones too. */
export function changedFiles(): string[] {
  return [
    ...new Set([...git("diff", "--name-only", "HEAD"), ...git("ls-files", "--others", "--exclude-standard")]),
  ].sort();
}

/** The browser tests' own modules that a module imports. */
function importsOf(path: string): string[] {
  const relativeImport = /\bfrom "(\.[^"]+)"/g;
  return [...readFileSync(path, "utf8").matchAll(relativeImport)].map(([, target = ""]) =>
    normalize(join(dirname(path), target)),
  );
}

/** The browser tests that import one of these modules, directly or through others. */
function specsImporting(changed: ReadonlySet<string>): string[] {
  if (changed.size === 0) return [];
  const known = new Map<string, boolean>();
  const uses = (path: string): boolean => {
    const before = known.get(path);
    if (before !== undefined) return before;
    known.set(path, false);
    const found =
      changed.has(path) ||
      (existsSync(path) && importsOf(path).some((target) => target.startsWith("e2e/") && uses(target)));
    known.set(path, found);
    return found;
  };
  return readdirSync("e2e", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".spec.ts"))
    .map((path) => join("e2e", path))
    .filter(uses);
}

/** The browser tests of the nearest folder that has some in the list. */
function specsOf(path: string): readonly string[] {
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    const specs = specsOfFolders[folder];
    if (specs) return specs;
  }
  return [];
}

/** Works out what a change of these files can affect. */
export function affectedBy(changed: readonly string[]): Affected {
  const specs = new Set(specsImporting(new Set(changed.filter((path) => path.startsWith("e2e/")))));
  for (const path of changed.filter((one) => one.startsWith("src/")))
    for (const spec of specsOf(path)) specs.add(`e2e/${spec}`);
  return {
    changed,
    existing: changed.filter((path) => existsSync(path)),
    sources: changed.filter((path) => /^(?:src|test|scripts|config)\/.*\.ts$/.test(path) && existsSync(path)),
    specs: [...specs].filter((path) => !path.startsWith("e2e/release/")).sort(),
  };
}
