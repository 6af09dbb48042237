import { existsSync, mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { chromium } from "@playwright/test";
import { systemChromium } from "../../e2e/support/system-chromium.ts";
import { runCommand } from "./command.ts";

/** Long enough for a slow connection: a limit only ends what hangs. */
const limitMs = 15 * 60_000;

const succeeds = async (
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<boolean> => (await runCommand(command, { limitMs, env })).code === 0;

const isThere = (): boolean => systemChromium !== undefined || existsSync(chromium.executablePath());

/** Debian and Ubuntu's, for who may install packages. */
async function fromDebian(): Promise<boolean> {
  if (!existsSync("/usr/bin/apt-get")) return false;
  const asRoot = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  const get = [...asRoot, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"];
  if (asRoot.length > 0 && !(await succeeds([...asRoot, "true"]))) return false;
  return (
    (await succeeds([...get, "update"])) &&
    (await succeeds([...get, "install", "-y", "--no-install-recommends", "chromium-headless-shell"])) &&
    existsSync("/usr/bin/chromium-headless-shell")
  );
}

/** A Chromium that a package of the registry holds, with the libraries and fonts that a bare system lacks. */
async function fromRegistry(): Promise<boolean> {
  const folder = resolve("node_modules/.cache/chromium");
  const path = `${folder}/chromium`;
  mkdirSync(folder, { recursive: true });
  const name = "@sparticuz/chromium";
  const install = [
    "npm",
    "install",
    "--prefix",
    folder,
    "--no-save",
    "--no-audit",
    "--no-fund",
    `${name}@147`,
  ];
  // The package unpacks all that it has where it takes the system for a cloud function's.
  const bare = { TMPDIR: folder, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" };
  const unpack = `import("${folder}/node_modules/${name}/build/esm/index.js").then((it) => it.default.executablePath())`;
  if (!existsSync(path) && !((await succeeds(install)) && (await succeeds(["node", "-e", unpack], bare))))
    return false;
  const libraries = { LD_LIBRARY_PATH: `${folder}/al2023/lib` };
  if (!(await succeeds([path, "--version"]))) Object.assign(process.env, libraries);
  if (!existsSync("/etc/fonts")) process.env["FONTCONFIG_PATH"] = `${folder}/fonts`;
  process.env["CHROMIUM_PATH"] = path;
  return succeeds([path, "--version"]);
}

const ways: readonly { from: string; get(): Promise<boolean> }[] = [
  { from: "Playwright's installer", get: () => succeeds(["playwright", "install", "chromium"]) },
  { from: "the package chromium-headless-shell", get: fromDebian },
  { from: "the npm package @sparticuz/chromium", get: fromRegistry },
];

/**
 * Makes sure that there is a browser for the tests, an installed one or one that can be had here. Returns what to do where none can;
 * null: there is one.
 */
export async function missingBrowser(): Promise<string | null> {
  if (isThere()) return null;
  process.stdout.write("\nNo Chromium is installed\n");
  for (const { from, get } of ways) {
    const isHad = await get();
    process.stdout.write(`  ${isHad ? "✓" : "✘"} ${from}\n`);
    if (isHad) return null;
  }
  return "No Chromium is installed, and none could be had: install one (Debian: chromium-headless-shell), or name it in CHROMIUM_PATH.";
}
