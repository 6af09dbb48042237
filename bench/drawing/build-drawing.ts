import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import type { DrawingState } from "./measure-drawing.ts";

const repository = join(import.meta.dirname, "../..");
const entry = join(import.meta.dirname, "drawn-page.ts");

/** The script of the benchmark's page, over the source of another folder. */
async function pageScriptOf(source: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    publicDir: false,
    root: repository,
    plugins: [
      {
        name: "source-of-another-state",
        enforce: "pre",
        resolveId: (id, importer) =>
          importer === entry && id.startsWith("../../src/") ? join(source, id.slice("../../".length)) : null,
      },
    ],
    build: { write: false, lib: { entry, name: "drawn", formats: ["iife"] } },
  });
  for (const bundle of [result].flat()) if ("output" in bundle) return bundle.output[0].code;
  throw new Error("The bundle of the benchmark's page has no output.");
}

/** The state of the working tree, and that of a commit. */
export async function buildStates(commit?: string): Promise<DrawingState[]> {
  const now = { name: "now", script: await pageScriptOf(repository) };
  if (commit === undefined) return [now];
  const folder = mkdtempSync(join(tmpdir(), "drawing-"));
  try {
    const archive = execFileSync("git", ["archive", commit, "src", "package.json"], {
      cwd: repository,
      maxBuffer: 2 ** 30,
    });
    execFileSync("tar", ["-x", "-C", folder], { input: archive });
    symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
    return [{ name: commit, script: await pageScriptOf(folder) }, now];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The benchmark as one script for Node, which needs the package playwright-core beside it. */
export async function buildMeasure(outDir: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: "silent",
    publicDir: false,
    root: repository,
    resolve: { alias: { "@playwright/test": "playwright-core" } },
    build: {
      ssr: join(import.meta.dirname, "../drawing.ts"),
      outDir,
      target: "node20",
      rolldownOptions: {
        external: ["playwright-core", "vite"],
        output: { entryFileNames: "drawing.mjs" },
      },
    },
  });
}
