import { mkdtempSync, readdirSync, readFileSync, rmSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { operatorAccess } from "../../../src/command-line/secrets/secrets.ts";
import { passwordHasher } from "../../../src/service/operator-password.ts";

/** Checks of the usual cost would be most of the tests' time. */
const passwords = passwordHasher(2 ** 4);
const { matches: isPassword } = passwords;

const start = (dataFolder: string) =>
  operatorAccess({ dataFolder, password: undefined, secret: undefined }, passwords);

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "visavis-operator-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("a password is created at the first start, printed once, and stored only as its hash", async () => {
  const dataFolder = newFolder();
  const first = await start(dataFolder);
  first.markShown();
  expect(first.newPassword).toMatch(/^(?:[a-z2-9]{4}-){4}[a-z2-9]{4}$/);
  expect(await isPassword(first.newPassword!, first.passwordHash)).toBe(true);
  expect(readFileSync(join(dataFolder, "operator-password"), "utf8")).not.toContain(first.newPassword);
  const again = await start(dataFolder);
  expect(again).toMatchObject({ passwordHash: first.passwordHash, newPassword: null });
  expect(readdirSync(dataFolder).sort()).toEqual(["operator-password", "service-secret"]);
  unlinkSync(join(dataFolder, "operator-password"));
  expect((await start(dataFolder)).newPassword).not.toBeNull();
});

test("a password that was not printed, because the server could not listen, is there for the next start", async () => {
  const dataFolder = newFolder();
  const failed = await start(dataFolder);
  const next = await start(dataFolder);
  expect(next.newPassword).toBe(failed.newPassword);
  expect(await isPassword(next.newPassword!, next.passwordHash)).toBe(true);
  expect(next.passwordHash).toBe(failed.passwordHash);
  next.markShown();
  expect((await start(dataFolder)).newPassword).toBeNull();
});

test("processes that start together on one folder print the same password", async () => {
  const dataFolder = newFolder();
  const started = await Promise.all([1, 2, 3].map(() => start(dataFolder)));
  expect(new Set(started.map(({ newPassword }) => newPassword)).size).toBe(1);
  for (const { newPassword, passwordHash } of started)
    expect(await isPassword(newPassword!, passwordHash)).toBe(true);
});

test("the setting overrides it, with the same hash of the usual cost at every start", async () => {
  const dataFolder = newFolder();
  const first = await operatorAccess({ dataFolder, password: "set by hand", secret: undefined });
  expect(first.newPassword).toBeNull();
  expect(await passwordHasher().matches("set by hand", first.passwordHash)).toBe(true);
  const again = await operatorAccess({ dataFolder, password: "set by hand", secret: undefined });
  expect(again.passwordHash).toBe(first.passwordHash);
});
