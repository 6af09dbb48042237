/** Compiles `webassembly/planes` into the module that media processes load: `npm run build:planes`. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const target = "src/service/media/planes/kernel-module.ts";

// Its command, not its interface: that brings AssemblyScript's types of arrays and strings in place of TypeScript's own.
const require = createRequire(import.meta.url);
const compiler = require.resolve("assemblyscript/bin/asc.js");

/** The compiled module. It has its memory from outside, and SIMD instructions. */
async function compiled(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "planes-"));
  const file = join(folder, "planes.wasm");
  try {
    await promisify(execFile)(process.execPath, [
      ...[compiler, "webassembly/planes/index.ts", "--outFile", file, "-O3", "--runtime", "stub"],
      ...["--enable", "simd", "--importMemory", "--noExportMemory", "--noAssert"],
    ]);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What the generated file has to be. */
export async function planesModule(): Promise<string> {
  const text = (await compiled()).toString("base64");
  return [
    "/** `webassembly/planes`, compiled: `npm run build:planes` writes this file. */",
    `export const kernelModule =\n  "${text}";\n`,
  ].join("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await writeFile(target, await planesModule());
