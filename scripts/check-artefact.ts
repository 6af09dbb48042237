/** Checks the built files: the loader has no dependencies, and no browser file contains forbidden content. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const root = "dist/public";
const faults: string[] = [];

function filesUnder(folder: string, ending: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => ending.test(file))
    .map((file) => join(folder, file));
}

function forbid(file: string, text: string, patterns: Record<string, RegExp>): void {
  for (const [what, pattern] of Object.entries(patterns))
    if (pattern.test(text)) faults.push(`${file}: ${what}`);
}

const everywhere = {
  "names the API key's header": /ServicePlatform-APIKey|XP-API-KEY/i,
  "holds an API key": /\bvv_[A-Za-z0-9_-]{20,}/,
  "names a machine address": /localhost:\d|127\.0\.0\.1:\d/,
  "reads the server's environment": /process\.env/,
  "evaluates text as code": /\beval\(|new Function\(/,
};

/** Code that pages with Trusted Types refuse without a policy. */
const untrusted = {
  "sets markup":
    /\.(?:innerHTML|outerHTML|srcdoc)\s*=[^=]|insertAdjacentHTML|createContextualFragment|document\.write/,
  "makes a Trusted Types policy": /createPolicy\(/,
  "starts a worker": /new (?:Shared)?Worker\(/,
};

const loader = join(root, "embed.js");
forbid(loader, readFileSync(loader, "utf8"), {
  "carries lit": /litHtmlVersions|litElementVersions/,
  "carries zod": /ZodMini|\$ZodType|zod/,
  "imports a module statically": /\bimport\s*[{*"']|\bfrom\s*["']/,
});

for (const file of filesUnder(root, /\.(js|css|html)$/)) forbid(file, readFileSync(file, "utf8"), everywhere);
for (const file of filesUnder(root, /\.js$/)) forbid(file, readFileSync(file, "utf8"), untrusted);

// Only the package's browser modules: the relay uses the header of the API key on purpose.
for (const file of filesUnder(
  "dist/packages/visavis/modules",
  /(?:element|client|stage|puppet|chunks\/[^/]+)\.js$/,
))
  forbid(file, readFileSync(file, "utf8"), {
    ...everywhere,
    "carries lit": /litHtmlVersions|litElementVersions/,
    "carries zod": /ZodMini|\$ZodType/,
  });

const relay = "dist/packages/visavis/modules/relay.js";
forbid(relay, readFileSync(relay, "utf8"), { "needs Node": /\bfrom ["']node:/ });

for (const file of filesUnder(root, /\.js\.map$/)) {
  const map = JSON.parse(readFileSync(file, "utf8")) as { sources: string[] };
  for (const source of map.sources)
    if (/src\/(service|relay|main|command-line)/.test(source))
      faults.push(`${file}: holds server source ${source}`);
}

if (faults.length > 0) {
  process.stderr.write(`The build contains forbidden content:\n  ${faults.join("\n  ")}\n`);
  process.exit(1);
}
process.stdout.write(`Artefacts checked in ${root}.\n`);
