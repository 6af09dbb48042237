import { expect, test } from "vitest";
import { hashPassword, isPassword } from "../../src/service/operator-password.ts";

test("only the hashed password is accepted, in any Unicode form", async () => {
  const hash = await hashPassword("pässword one");
  expect(hash).not.toContain("word");
  expect(await isPassword("pässword one".normalize("NFD"), hash)).toBe(true);
  expect(await isPassword("pässword two", hash)).toBe(false);
  expect(await isPassword("", hash)).toBe(false);
});

test("hashes differ with different salts, and are equal with the same one", async () => {
  expect(await hashPassword("same")).not.toBe(await hashPassword("same"));
  expect(await hashPassword("same", "salt")).toBe(await hashPassword("same", "salt"));
});

test("no password is accepted for an invalid hash", async () => {
  for (const hash of ["", "scrypt$$", "plain", "bcrypt$a$b"]) expect(await isPassword("", hash)).toBe(false);
});
