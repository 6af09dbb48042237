import { readFileSync } from "node:fs";

/** Size budgets in brotli bytes; the files that an entry loads before it runs are read from the build's manifest. */
const root = "dist/public";
const manifest = JSON.parse(readFileSync(`${root}/.vite/manifest.json`, "utf8"));

function closure(entry, seen = new Set()) {
  const chunk = manifest[entry];
  if (!chunk || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  chunk.css?.forEach((file) => seen.add(file));
  chunk.imports?.forEach((name) => closure(name, seen));
  return seen;
}

const widget = [...closure("src/widget/define.ts")].map((file) => `${root}/${file}`);

export default [
  { name: "loader", path: `${root}/embed.js`, brotli: true, limit: "3 kB" },
  {
    name: "everything until the first frame",
    path: [`${root}/embed.js`, ...widget],
    brotli: true,
    limit: "35 kB",
  },
];
