import { createHash, randomBytes } from "node:crypto";

/** A key's format: printable ASCII without spaces, 8 to 256 characters. Other texts are rejected as not a key (A0010). */
const apiKeyPattern = /^[\x21-\x7e]{8,256}$/;

/** Whether a text could be an API key. */
export function isApiKeyShaped(value: string): boolean {
  return apiKeyPattern.test(value);
}

/**
 * The SHA-256 of a key, which is all that the store keeps. One fast hash is enough, because keys are random and not chosen by
 * people.
 */
export function hashApiKey(key: string): string {
  return createHash("sha256").update(key, "utf8").digest("hex");
}

/** A new API key: `vv_` and 256 random bits. */
export function newApiKey(): string {
  return `vv_${randomBytes(32).toString("base64url")}`;
}
