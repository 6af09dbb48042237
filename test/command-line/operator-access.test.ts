import { mkdtempSync, readFileSync, rmSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { operatorAccess } from "../../src/command-line/operator-access.ts";
import { isPassword } from "../../src/service/operator-password.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "visavis-operator-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("a password is made at the first start, told once, and kept as its hash alone", async () => {
  const dataFolder = newFolder();
  const first = await operatorAccess({ dataFolder, password: undefined, secret: undefined });
  expect(first.newPassword).toMatch(/^(?:[a-z2-9]{4}-){4}[a-z2-9]{4}$/);
  expect(await isPassword(first.newPassword!, first.passwordHash)).toBe(true);
  expect(readFileSync(join(dataFolder, "operator-password"), "utf8")).not.toContain(first.newPassword);
  const again = await operatorAccess({ dataFolder, password: undefined, secret: undefined });
  expect(again).toEqual({ ...first, newPassword: null });
  unlinkSync(join(dataFolder, "operator-password"));
  expect(
    (await operatorAccess({ dataFolder, password: undefined, secret: undefined })).newPassword,
  ).not.toBeNull();
});

test("the setting goes before, with the same hash at every start", async () => {
  const dataFolder = newFolder();
  const first = await operatorAccess({ dataFolder, password: "set by hand", secret: undefined });
  expect(first.newPassword).toBeNull();
  expect(await isPassword("set by hand", first.passwordHash)).toBe(true);
  expect(await operatorAccess({ dataFolder, password: "set by hand", secret: undefined })).toEqual(first);
});
