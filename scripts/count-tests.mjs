/**
 * Prints `N passed, N failed` over the reports that the unit and browser tests left in test-results/, and before it the browser
 * tests that passed only at their second try.
 */
import { existsSync, readFileSync } from "node:fs";

const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined);
let passed = 0;
let failed = 0;

const unit = read("test-results/unit.json");
if (unit) {
  passed += unit.numPassedTests;
  failed += unit.numFailedTests;
}
const browser = read("test-results/browser.json");
if (browser) {
  passed += browser.stats.expected + browser.stats.flaky;
  failed += browser.stats.unexpected;
}
/** The titles of a suite's flaky tests, each with its file. */
function flakyTests({ suites = [], specs = [] }) {
  const flaky = specs.filter(({ tests }) => tests.some(({ status }) => status === "flaky"));
  return [...flaky.map(({ file, title }) => `${file}: ${title}`), ...suites.flatMap(flakyTests)];
}
for (const test of flakyTests(browser ?? {})) process.stdout.write(`Flaky, find the cause: ${test}\n`);

if (!unit || !browser) failed += 1;

process.stdout.write(`${passed} passed, ${failed} failed\n`);
