/** Compiles the folders of `webassembly` into the modules that media processes and workers load: `npm run build:webassembly`. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

/** The folders of `webassembly`, and the file that each is compiled into. */
export const targets = {
  planes: "src/service/media/planes/kernel-module.ts",
  filter: "src/service/audio/kernel-module.ts",
  encoder: "src/service/knowledge/meaning/kernel-module.ts",
} as const;

type Source = keyof typeof targets;

// Its command, not its interface: that brings AssemblyScript's types of arrays and strings in place of TypeScript's own.
const require = createRequire(import.meta.url);
const compiler = require.resolve("assemblyscript/bin/asc.js");

/** A compiled module. It has its memory from outside, and SIMD instructions. */
async function compiled(source: Source): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "webassembly-"));
  const file = join(folder, "module.wasm");
  try {
    await promisify(execFile)(process.execPath, [
      ...[compiler, `webassembly/${source}/index.ts`, "--outFile", file, "-O3", "--runtime", "stub"],
      ...["--enable", "simd", "--importMemory", "--noExportMemory", "--noAssert"],
    ]);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What the generated file of a folder has to be. */
export async function moduleText(source: Source): Promise<string> {
  const text = (await compiled(source)).toString("base64");
  return [
    `/** \`webassembly/${source}\`, compiled: \`npm run build:webassembly\` writes this file. */`,
    `export const kernelModule =\n  "${text}";\n`,
  ].join("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  for (const source of ["planes", "filter", "encoder"] as const)
    await writeFile(targets[source], await moduleText(source));
