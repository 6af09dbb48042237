import { mkdtempSync, readdirSync, readFileSync, rmSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { operatorAccess } from "../../../src/command-line/secrets/secrets.ts";
import { passwordHasher } from "../../../src/service/operator-password.ts";

const { matches: isPassword } = passwordHasher();

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "visavis-operator-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("a password is created at the first start, printed once, and stored only as its hash", async () => {
  const dataFolder = newFolder();
  const first = await operatorAccess({ dataFolder, password: undefined, secret: undefined });
  first.markShown();
  expect(first.newPassword).toMatch(/^(?:[a-z2-9]{4}-){4}[a-z2-9]{4}$/);
  expect(await isPassword(first.newPassword!, first.passwordHash)).toBe(true);
  expect(readFileSync(join(dataFolder, "operator-password"), "utf8")).not.toContain(first.newPassword);
  const again = await operatorAccess({ dataFolder, password: undefined, secret: undefined });
  expect(again).toMatchObject({ passwordHash: first.passwordHash, newPassword: null });
  expect(readdirSync(dataFolder).sort()).toEqual(["operator-password", "service-secret"]);
  unlinkSync(join(dataFolder, "operator-password"));
  expect(
    (await operatorAccess({ dataFolder, password: undefined, secret: undefined })).newPassword,
  ).not.toBeNull();
});

test("a password that was not printed, because the server could not listen, is there for the next start", async () => {
  const dataFolder = newFolder();
  const start = () => operatorAccess({ dataFolder, password: undefined, secret: undefined });
  const failed = await start();
  const next = await start();
  expect(next.newPassword).toBe(failed.newPassword);
  expect(await isPassword(next.newPassword!, next.passwordHash)).toBe(true);
  expect(next.passwordHash).toBe(failed.passwordHash);
  next.markShown();
  expect((await start()).newPassword).toBeNull();
});

test("processes that start together on one folder print the same password", async () => {
  const dataFolder = newFolder();
  const started = await Promise.all(
    [1, 2, 3].map(() => operatorAccess({ dataFolder, password: undefined, secret: undefined })),
  );
  expect(new Set(started.map(({ newPassword }) => newPassword)).size).toBe(1);
  for (const { newPassword, passwordHash } of started)
    expect(await isPassword(newPassword!, passwordHash)).toBe(true);
});

test("the setting overrides it, with the same hash at every start", async () => {
  const dataFolder = newFolder();
  const first = await operatorAccess({ dataFolder, password: "set by hand", secret: undefined });
  expect(first.newPassword).toBeNull();
  expect(await isPassword("set by hand", first.passwordHash)).toBe(true);
  const again = await operatorAccess({ dataFolder, password: "set by hand", secret: undefined });
  expect(again.passwordHash).toBe(first.passwordHash);
});
