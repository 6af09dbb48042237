import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

export type PackageName = "visavis" | "visavis-server";

/** A project of its own, in an empty folder, with some of our packages installed. */
export interface InstalledPackage {
  folder: string;
  /** Path of a command in the project's `node_modules/.bin`. */
  command(name: string): string;
  /** Writes a file of the project, by its path in there. */
  write(path: string, text: string): void;
  /** Makes a package of this repository's `node_modules` available to the project. */
  link(name: string): void;
  /** Runs a module of the project in Node and returns what it printed. */
  run(path: string): string;
  remove(): void;
}

/** Runs npm. When it fails, throws with its output. */
export function npm(folder: string, ...words: string[]): string {
  return execFileSync("npm", words, {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
  });
}

/** Packs a built package as `npm publish` would, into `folder`. Returns the tarball's path. */
export function pack(name: PackageName, folder: string): string {
  const built = resolve("dist/packages", name);
  if (!existsSync(join(built, "package.json")))
    throw new Error(`${name} is not built. Run npm run build && npm run build:packages.`);
  const packed = npm(built, "pack", "--json", "--pack-destination", folder);
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  return join(folder, filename);
}

/** Packs our packages and installs them, with their dependencies from the registry, in a new project. */
export function installPackages(...names: PackageName[]): InstalledPackage {
  const folder = mkdtempSync(join(tmpdir(), "visavis-package-"));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    write("package.json", '{ "type": "module", "private": true }');
    const tarballs = names.map((name) => pack(name, folder));
    npm(folder, "install", "--prefer-offline", "--no-audit", "--no-fund", ...tarballs);
  } catch (error) {
    remove();
    throw error;
  }
  return {
    folder,
    command: (name) => join(folder, "node_modules/.bin", name),
    write,
    link: (name) => {
      const place = join(folder, "node_modules", name);
      mkdirSync(dirname(place), { recursive: true });
      symlinkSync(resolve("node_modules", name), place);
    },
    run: (path) => execFileSync(process.execPath, [path], { cwd: folder, encoding: "utf8" }),
    remove,
  };
}
