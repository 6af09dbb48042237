import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const inTests =
  /`((?:e2e|client|command-line|embed|markdown|protocol|relay|service|stage|viewer|widget)\/[a-z\d/-]+)`/g;

const exists = (path: string): boolean =>
  [".test.ts", ".spec.ts", ""].some((ending) => existsSync(`${path}${ending}`));

test("every test that docs/security.md names exists", () => {
  const rows = readFileSync("docs/security.md", "utf8")
    .split("\n")
    .filter((line) => /^(?:- | {2})/.test(line));
  const named = new Set(rows.flatMap((row) => [...row.matchAll(inTests)].map(([, path]) => path!)));
  expect(named.size).toBeGreaterThan(20);
  expect([...named].filter((path) => !["test", "."].some((folder) => exists(join(folder, path))))).toEqual(
    [],
  );
});

test("every file of the journeys in docs/architecture.md exists", () => {
  const [, journeys] = readFileSync("docs/architecture.md", "utf8").split("## Five journeys");
  const named = [...journeys!.matchAll(/`([a-z][a-z-]*\/[a-z/-]+(?:\.ts)?)`/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(40);
  // What follows the journeys may be relative to its room.
  const isInSource = (path: string): boolean =>
    [path, `service/${path}`].some((each) => existsSync(join("src", each)));
  expect(named.filter((path) => !isInSource(path))).toEqual([]);
});
