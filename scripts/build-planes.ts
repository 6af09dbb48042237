/** Compiles `webassembly/planes` into the module that media processes load: `npm run build:planes`. */
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import asc from "assemblyscript/asc";

const target = "src/service/media/planes/kernel-module.ts";

/** The compiled module. It has its memory from outside, and SIMD instructions. */
async function compiled(): Promise<Uint8Array> {
  let binary: Uint8Array | undefined;
  const told: string[] = [];
  const { error } = await asc.main(
    [
      ...["webassembly/planes/index.ts", "--outFile", "planes.wasm", "-O3", "--runtime", "stub"],
      ...["--enable", "simd", "--importMemory", "--noExportMemory", "--noAssert"],
    ],
    {
      writeFile(_name, contents) {
        if (typeof contents !== "string") binary = contents;
      },
      stderr: { write: (chunk: string | Uint8Array) => void told.push(Buffer.from(chunk).toString()) },
    },
  );
  if (error || !binary) throw new Error(`webassembly/planes does not compile: ${told.join("")}`);
  return binary;
}

/** What the generated file has to be. */
export async function planesModule(): Promise<string> {
  const text = Buffer.from(await compiled()).toString("base64");
  return [
    "/** `webassembly/planes`, compiled: `npm run build:planes` writes this file. */",
    `export const kernelModule =\n  "${text}";\n`,
  ].join("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  writeFileSync(target, await planesModule());
