import { expect, test } from "vitest";
import { growthFaults, noteSlow } from "../../scripts/test/growth.ts";
import type { TestResult } from "../../scripts/test/results.ts";
import { temporaryFolder } from "../service/service-fixture.ts";

const took = (seconds: number, more: Partial<TestResult> = {}): TestResult => ({
  ...{ file: "e2e/a.spec.ts", title: "a page", status: "passed", errors: [] },
  durationMs: seconds * 1_000,
  ...more,
});

test("a browser test that takes too long twice in a row is a fault, until it is quick again", () => {
  const folder = temporaryFolder();
  noteSlow([took(6.5)], folder);
  expect(growthFaults(1, folder)).toEqual([]);
  // It was not in this run.
  noteSlow([took(1, { title: "another page" })], folder);
  noteSlow([took(7)], folder);
  expect(growthFaults(1, folder)).toEqual([
    expect.stringContaining("e2e/a.spec.ts › a page took over 6 s twice (7 s)"),
  ]);
  noteSlow([took(5.9)], folder);
  noteSlow([took(7)], folder);
  expect(growthFaults(1, folder)).toEqual([]);
});

test("tests of a release and unit tests may take longer", () => {
  const folder = temporaryFolder();
  for (const file of ["e2e/release/a.spec.ts", "test/a.test.ts"])
    for (const run of [took(60, { file }), took(60, { file })]) noteSlow([run], folder);
  expect(growthFaults(1, folder)).toEqual([]);
});

test("more browser tests than a person waits for are a fault", () => {
  expect(growthFaults(130, temporaryFolder())).toEqual([]);
  expect(growthFaults(131, temporaryFolder())).toEqual([
    expect.stringContaining("131 browser tests, at most 130"),
  ]);
});
