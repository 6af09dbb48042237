import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** A path in a table of a page, such as `http/session-create` or `../relay/backgrounds`. The text around it may say more. */
const inServiceTests =
  /(?<![\w/.`-])((?:\.\.\/)*(?:audio|command-line|e2e|http|language|media|normalization|processes|relay|sessions|speech|store)\/[a-z\d/-]+)/g;
const inTests =
  /`((?:e2e|client|command-line|embed|markdown|protocol|relay|service|stage|viewer|widget)\/[a-z\d/-]+)`/g;

/** Pages whose tables name tests, with the folders that their paths are relative to. */
const pages = [
  {
    page: "docs/interface.md",
    pattern: inServiceTests,
    folders: ["test/service", "test/service/media", "."],
  },
  { page: "docs/security.md", pattern: inTests, folders: ["test", "."] },
];

const exists = (path: string): boolean =>
  [".test.ts", ".spec.ts", ""].some((ending) => existsSync(`${path}${ending}`));

test.each(pages)("every test that $page names exists", ({ page, pattern, folders }) => {
  const rows = readFileSync(page, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("|"));
  const named = new Set(
    rows
      .flatMap((row) => [...row.replaceAll(/\[[^\]]*\]\([^)]*\)/g, "").matchAll(pattern)])
      .map(([, path]) => path!),
  );
  expect(named.size).toBeGreaterThan(20);
  expect([...named].filter((path) => !folders.some((folder) => exists(join(folder, path))))).toEqual([]);
});
