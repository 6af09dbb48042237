import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** The cost of one check: about 60 ms and 32 MiB (OWASP's scrypt values of 2025 for interactive logins). */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const keyBytes = 32;

function derive(password: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Two keyboards may encode the same letter in different ways.
    scrypt(password.normalize("NFKC"), salt, keyBytes, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/**
 * The operator's password in the stored form: `scrypt$<salt>$<key>`. The same `salt` gives the same text, so that several
 * processes and restarts agree. Default: a new salt.
 */
export async function hashPassword(
  password: string,
  salt = randomBytes(16).toString("base64url"),
): Promise<string> {
  return `scrypt$${salt}$${(await derive(password, salt)).toString("base64url")}`;
}

/** Whether the password is the one that was hashed. The check takes the same time for every wrong password. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [scheme, salt = "", key = ""] = hash.split("$");
  const known = Buffer.from(key, "base64url");
  const given = await derive(password, salt);
  return scheme === "scrypt" && known.length === given.length && timingSafeEqual(known, given);
}
