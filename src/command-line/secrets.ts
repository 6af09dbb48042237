import { createHmac, randomBytes, randomInt } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A secret of this installation, made at the first start and kept in a file that only its owner may read. */
export interface KeptSecret {
  value: string;
  /** True when it was made just now. */
  isNew: boolean;
}

/** Null where the file is not there. Throws where it holds nothing, which would be a secret that everybody knows. */
function readSecret(file: string): string | null {
  if (!existsSync(file)) return null;
  const value = readFileSync(file, "utf8").trim();
  if (value === "") throw new Error(`${file} is empty; remove it, and a new secret is made.`);
  return value;
}

/**
 * The secret in `<folder>/<name>`; made by `make` when it is not there yet. Of several processes that make it at once, the
 * first one's is everybody's. Throws where the file is empty.
 */
export function keptSecret(folder: string, name: string, make: () => string): KeptSecret {
  const file = join(folder, name);
  const known = readSecret(file);
  if (known !== null) return { value: known, isNew: false };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const value = make();
  try {
    writeFileSync(file, `${value}\n`, { mode: 0o600, flag: "wx" });
    return { value, isNew: true };
  } catch (error) {
    const others = readSecret(file);
    if (others === null) throw error;
    return { value: others, isNew: false };
  }
}

/**
 * The secret of one purpose, in hexadecimal: made from the installation's, which several processes share, else one of its
 * own that the data folder keeps.
 */
export function purposeSecret(
  { secret, dataFolder }: { secret?: string | undefined; dataFolder: string },
  purpose: "token" | "service" | "relay" | "store",
): string {
  return secret === undefined
    ? keptSecret(dataFolder, `${purpose}-secret`, newTokenSecret).value
    : createHmac("sha256", Buffer.from(secret, "hex")).update(purpose).digest("hex");
}

/** A new API key: `vv_` and 256 random bits. */
export function newApiKey(): string {
  return `vv_${randomBytes(32).toString("base64url")}`;
}

/** A new key for signing session tokens: 256 random bits in hexadecimal. */
export function newTokenSecret(): string {
  return randomBytes(32).toString("hex");
}

/** Without letters and digits that are taken for one another. */
const passwordAlphabet = "abcdefghjkmnpqrstuvwxyz23456789";

/** A new password for the operator: 99 random bits in five groups that can be typed from paper. */
export function newPassword(): string {
  const letters = Array.from({ length: 20 }, () => passwordAlphabet[randomInt(passwordAlphabet.length)]);
  return letters.join("").replace(/(.{4})(?!$)/g, "$1-");
}
