import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findBrowser } from "../../src/command-line/photo/make-photo-character.ts";

const folder = mkdtempSync(join(tmpdir(), "visavis-browser-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the browser is the named one, the environment's, or one on the path", () => {
  const chromium = join(folder, "chromium");
  writeFileSync(chromium, "");
  expect(findBrowser(chromium, {})).toBe(chromium);
  expect(findBrowser(undefined, { CHROMIUM_PATH: chromium })).toBe(chromium);
  expect(findBrowser(undefined, { PATH: `/nowhere:${folder}` })).toBe(chromium);
  expect(findBrowser(join(folder, "none"), { PATH: folder })).toBeNull();
});
