/** Fails if the import check did not see all modules. Without this, a check that sees no modules would pass. */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";

const output = execFileSync(
  "npx",
  ["depcruise", "--config", "config/dependency-cruiser.cjs", "--output-type", "json", "src"],
  { encoding: "utf8", maxBuffer: 256 * 1024 * 1024 },
);
const seen = new Set(
  (JSON.parse(output) as { modules: { source: string }[] }).modules.map((module) => module.source),
);
const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
  .map((file) => `src/${file.replaceAll("\\", "/")}`);
const missed = sources.filter((file) => !seen.has(file));
if (missed.length > 0) {
  process.stderr.write(`The import check did not see:\n  ${missed.join("\n  ")}\n`);
  process.exit(1);
}
process.stdout.write(`Import arrows checked in ${sources.length} files.\n`);
