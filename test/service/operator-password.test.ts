import { expect, test } from "vitest";
import { hashPassword, isPassword } from "../../src/service/operator-password.ts";

test("only the password that was hashed opens, in whatever form its letters came", async () => {
  const hash = await hashPassword("pässword one");
  expect(hash).not.toContain("word");
  expect(await isPassword("pässword one".normalize("NFD"), hash)).toBe(true);
  expect(await isPassword("pässword two", hash)).toBe(false);
  expect(await isPassword("", hash)).toBe(false);
});

test("hashes differ by their salts, and agree by the same one", async () => {
  expect(await hashPassword("same")).not.toBe(await hashPassword("same"));
  expect(await hashPassword("same", "salt")).toBe(await hashPassword("same", "salt"));
});

test("what is no hash opens for nobody", async () => {
  for (const hash of ["", "scrypt$$", "plain", "bcrypt$a$b"]) expect(await isPassword("", hash)).toBe(false);
});
