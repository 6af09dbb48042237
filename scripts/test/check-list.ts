import type { Affected } from "./affected.ts";
import type { Check } from "./checks.ts";

const script = (name: string): readonly string[] => ["npm", "run", "--silent", name];

/** Builds what `npm start` runs, unless nothing of it has changed. */
export const build: Check = { name: "build", commands: [["tsx", "scripts/test/build-changed.ts"]] };

/** Builds come before the checks that look at what was built. */
const built: Check = {
  name: "builds, sizes, artefact, packages",
  commands: [
    ...build.commands,
    script("build:packages"),
    script("check:size"),
    script("check:artefact"),
    script("check:packages"),
    script("check:html"),
  ],
};

/** What `npm run check` runs. The longest come first, so that both of those that run at a time end together. */
export const staticChecks: readonly Check[] = [
  { name: "lint", commands: [script("check:lint")] },
  built,
  { name: "types", commands: [script("check:types")] },
  { name: "format", commands: [script("check:format")] },
  { name: "templates", commands: [script("check:templates")] },
  { name: "generated files", commands: [["vitest", "run", "--project", "generated"]] },
  { name: "arrows", commands: [script("check:arrows")] },
  { name: "dead code", commands: [script("check:dead")] },
  { name: "growth of the browser tests", commands: [["tsx", "scripts/test/growth.ts"]] },
  { name: "compose.yaml", commands: [script("check:compose")] },
];

/** What the tests of a release use. */
export const releaseChecks: readonly Check[] = [
  { name: "builds", commands: [...build.commands, script("build:packages")] },
];

/** What `npm test -- --changed` checks: files are checked alone where that says the same. */
export function changedChecks({ changed, existing, specs }: Affected): Check[] {
  const linted = existing.filter((path) => /\.(?:[cm]?js|ts)$/.test(path));
  const checks: Check[] = [];
  if (linted.length > 0)
    checks.push({
      name: "lint",
      commands: [["eslint", "--max-warnings", "0", "--no-warn-ignored", ...linted]],
    });
  if (changed.some((path) => path.startsWith("src/")))
    checks.push(
      { name: "generated files", commands: [["vitest", "run", "--project", "generated"]] },
      { name: "arrows", commands: [script("check:arrows")] },
      { name: "templates", commands: [script("check:templates")] },
    );
  if (linted.length > 0) checks.push({ name: "types", commands: [script("check:types")] });
  if (specs.length > 0)
    checks.push({
      name: "builds, sizes, artefact",
      commands: [...build.commands, script("check:size"), script("check:artefact")],
    });
  if (existing.length > 0)
    checks.push({
      name: "format",
      commands: [["oxfmt", "--check", "--no-error-on-unmatched-pattern", ...existing]],
    });
  return checks;
}
