import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** Cost of one guess: about 60 ms and 32 MiB (OWASP's scrypt figures of 2025 for interactive logins). */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const keyBytes = 32;

function derive(password: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Two keyboards may write the same letter in two ways.
    scrypt(password.normalize("NFKC"), salt, keyBytes, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/**
 * The operator's password as it is kept: `scrypt$<salt>$<key>`. The same `salt` gives the same text, by which several
 * processes and restarts agree; default: a new one.
 */
export async function hashPassword(
  password: string,
  salt = randomBytes(16).toString("base64url"),
): Promise<string> {
  return `scrypt$${salt}$${(await derive(password, salt)).toString("base64url")}`;
}

/** Whether the password is the one that was hashed. Takes equally long for every wrong one. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [scheme, salt = "", key = ""] = hash.split("$");
  const known = Buffer.from(key, "base64url");
  const given = await derive(password, salt);
  return scheme === "scrypt" && known.length === given.length && timingSafeEqual(known, given);
}
