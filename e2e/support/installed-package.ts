import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** A project of its own that has the package as npm would install it. */
export interface InstalledPackage {
  folder: string;
  /** Path of the command in the project's `node_modules/.bin`. */
  command: string;
  /** Writes a file of the project, by its path in there. */
  write(path: string, text: string): void;
  /** Runs a module of the project in Node; answers what it printed. */
  run(path: string): string;
  remove(): void;
}

/**
 * Packs what `npm publish` would send, from the build that is there, and unpacks it into a new project. Beside it lie
 * links to the packages that it names as dependencies, and to no others.
 */
export function installPackage(): InstalledPackage {
  if (!existsSync("dist/package/custom-elements.json"))
    throw new Error("The package is not built. Run npm run build:package.");
  const folder = mkdtempSync(join(tmpdir(), "visavis-package-"));
  const modules = join(folder, "node_modules");
  const home = join(modules, "visavis");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  mkdirSync(home);
  const packed = execFileSync("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  execFileSync("tar", ["-xzf", join(folder, filename), "-C", home, "--strip-components", "1"]);
  const manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
    bin: { visavis: string };
  };
  for (const name of Object.keys(manifest.dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(resolve("node_modules", name), join(modules, name));
  }
  const command = join(modules, ".bin", "visavis");
  symlinkSync(join(home, manifest.bin.visavis), command);
  chmodSync(command, 0o755);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write("package.json", '{ "type": "module", "private": true }');
  return {
    folder,
    command,
    write,
    run: (path) => execFileSync(process.execPath, [path], { cwd: folder, encoding: "utf8" }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
