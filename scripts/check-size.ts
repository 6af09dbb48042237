/** Size budgets in brotli bytes: the loader, and everything that is loaded until the first frame (fonts apart). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}

const root = "dist/public";
const manifest = JSON.parse(readFileSync(join(root, ".vite/manifest.json"), "utf8")) as Record<string, Chunk>;
const bytes = (file: string): number => brotliCompressSync(readFileSync(join(root, file))).length;

/** The files an entry loads before it runs: itself, its static imports and their styles. */
function closure(entry: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[entry];
  if (!chunk || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  chunk.css?.forEach((file) => seen.add(file));
  chunk.imports?.forEach((name) => closure(name, seen));
  return seen;
}

const loader = bytes("embed.js");
const widget = [...closure("src/widget/define.ts")].map(bytes).reduce((sum, size) => sum + size, 0);
const budgets = [
  { name: "loader (embed.js)", size: loader, limit: 3_072 },
  { name: "everything until the first frame", size: loader + widget, limit: 35_840 },
];

let failed = false;
for (const { name, size, limit } of budgets) {
  const within = size <= limit;
  failed ||= !within;
  process.stdout.write(`${within ? "ok  " : "OVER"} ${name}: ${size} of ${limit} bytes (brotli)\n`);
}
if (failed) process.exit(1);
