import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { keptSecret, newApiKey } from "../../src/command-line/secrets.ts";

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "visavis-secrets-"));
  folders.push(folder);
  return folder;
}

describe("keptSecret", () => {
  it("is made once and read again", () => {
    const folder = newFolder();
    const first = keptSecret(folder, "key", newApiKey);
    expect(first.isNew).toBe(true);
    expect(keptSecret(folder, "key", newApiKey)).toEqual({ value: first.value, isNew: false });
  });

  it("of several that are made at once is one, and leaves nothing else behind", () => {
    const folder = newFolder();
    const others: string[] = [];
    const made = keptSecret(folder, "key", () => {
      others.push(keptSecret(folder, "key", newApiKey).value);
      return newApiKey();
    });
    expect(made).toEqual({ value: others[0], isNew: false });
    expect(readdirSync(folder)).toEqual(["key"]);
  });

  it("is refused where its file is empty", () => {
    const folder = newFolder();
    writeFileSync(join(folder, "key"), "\n");
    expect(() => keptSecret(folder, "key", newApiKey)).toThrow(/key is empty; remove it/);
  });

  it("is readable by its owner alone", () => {
    const folder = newFolder();
    keptSecret(folder, "key", newApiKey);
    expect(statSync(join(folder, "key")).mode & 0o077).toBe(0);
  });
});
