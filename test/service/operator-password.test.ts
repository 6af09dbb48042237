import { scryptSync } from "node:crypto";
import { expect, test } from "vitest";
import { passwordHasher } from "../../src/service/operator-password.ts";

const { hash: hashPassword, matches: isPassword } = passwordHasher(2 ** 4);

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

test("a hash has the cost of interactive logins by default, and is read by the same cost alone", async () => {
  const key = scryptSync("same", "salt", 32, { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 });
  const usual = passwordHasher();
  const hash = await usual.hash("same", "salt");
  expect(hash).toBe(`scrypt$salt$${key.toString("base64url")}`);
  expect([await usual.matches("same", hash), await isPassword("same", hash)]).toEqual([true, false]);
});
