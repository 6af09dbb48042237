/** Prints `N passed, N failed` over the reports that the unit and browser tests left in test-results/. */
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
if (!unit || !browser) failed += 1;

process.stdout.write(`${passed} passed, ${failed} failed\n`);
