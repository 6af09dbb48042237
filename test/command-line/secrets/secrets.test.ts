import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { keptSecret, printedSecret } from "../../../src/command-line/secrets/secrets.ts";
import { newApiKey } from "../../../src/service/api-key.ts";

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "visavis-secrets-"));
  folders.push(folder);
  return folder;
}

describe("keptSecret", () => {
  it("is created once and read again", () => {
    const folder = newFolder();
    const first = keptSecret(folder, "key", newApiKey);
    expect(first.isNew).toBe(true);
    expect(keptSecret(folder, "key", newApiKey)).toEqual({ value: first.value, isNew: false });
  });

  it("is one secret when several processes create it at once, without other files", () => {
    const folder = newFolder();
    const others: string[] = [];
    const made = keptSecret(folder, "key", () => {
      others.push(keptSecret(folder, "key", newApiKey).value);
      return newApiKey();
    });
    expect(made).toEqual({ value: others[0], isNew: false });
    expect(readdirSync(folder)).toEqual(["key"]);
  });

  it("is rejected when its file is empty", () => {
    const folder = newFolder();
    writeFileSync(join(folder, "key"), "\n");
    expect(() => keptSecret(folder, "key", newApiKey)).toThrow(/key is empty; remove it/);
  });

  it("is readable only by its owner", () => {
    const folder = newFolder();
    keptSecret(folder, "key", newApiKey);
    expect(statSync(join(folder, "key")).mode & 0o077).toBe(0);
  });
});

describe("printedSecret", () => {
  it("stays due to be printed until it was printed, also at a later start", () => {
    const folder = newFolder();
    const failed = printedSecret(folder, "key", newApiKey);
    const next = printedSecret(folder, "key", newApiKey);
    expect([failed.isUnshown, next.isUnshown]).toEqual([true, true]);
    expect(next.value).toBe(failed.value);
    next.markShown();
    expect(printedSecret(folder, "key", newApiKey).isUnshown).toBe(false);
  });

  it("is not printed where it was made before", () => {
    const folder = newFolder();
    keptSecret(folder, "key", newApiKey);
    expect(printedSecret(folder, "key", newApiKey).isUnshown).toBe(false);
  });
});
