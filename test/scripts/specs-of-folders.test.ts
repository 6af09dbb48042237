import { existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { affectedBy } from "../../scripts/test/affected.ts";
import { specsOfFolders } from "../../scripts/test/specs-of-folders.ts";

test("every folder and every test in the list exists", () => {
  const paths = Object.entries(specsOfFolders).flatMap(([folder, specs]) => [
    folder,
    ...specs.map((spec) => `e2e/${spec}`),
  ]);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test("a change of any part of the source has browser tests", () => {
  const modules = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && dirname(path) !== ".",
  );
  const without = modules.filter((path) => affectedBy([`src/${path}`]).specs.length === 0);
  expect(without).toEqual([]);
});

test("a change of what browser tests share runs those that import it, also through others", () => {
  const { specs } = affectedBy(["e2e/support/system-chromium.ts"]);
  expect(specs).toContain("e2e/stage/stage.spec.ts");
  expect(specs).not.toContain("e2e/launcher.spec.ts");
});
