import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** The cost of one check: about 60 ms and 32 MiB (OWASP's scrypt values of 2025 for interactive logins). */
const usualCost = 2 ** 15;
const keyBytes = 32;

function derive(password: string, salt: string, cost: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Two keyboards may encode the same letter in different ways.
    const options = { N: cost, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
    scrypt(password.normalize("NFKC"), salt, keyBytes, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** Hashes passwords and checks them. */
export interface PasswordHasher {
  /**
   * The password in the stored form: `scrypt$<salt>$<key>`. The same `salt` gives the same text, so that several processes and
   * restarts agree. Default: a new salt.
   */
  hash(password: string, salt?: string): Promise<string>;
  /** Whether the password is the one that was hashed. The check takes the same time for every wrong password. */
  matches(password: string, hash: string): Promise<boolean>;
}

/** A hasher whose checks cost so much (scrypt's N). A stored form does not name its cost. */
export function passwordHasher(cost = usualCost): PasswordHasher {
  return {
    async hash(password, salt = randomBytes(16).toString("base64url")) {
      return `scrypt$${salt}$${(await derive(password, salt, cost)).toString("base64url")}`;
    },
    async matches(password, hash) {
      const [scheme, salt = "", key = ""] = hash.split("$");
      const known = Buffer.from(key, "base64url");
      const given = await derive(password, salt, cost);
      return scheme === "scrypt" && known.length === given.length && timingSafeEqual(known, given);
    },
  };
}
