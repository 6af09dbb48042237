import { createHash } from "node:crypto";

/** A key's form: printable ASCII without spaces, 8 to 256 characters. Anything else is no key at all (A0010). */
const apiKeyPattern = /^[\x21-\x7e]{8,256}$/;

/** Whether a text could be an API key. */
export function isApiKeyShaped(value: string): boolean {
  return apiKeyPattern.test(value);
}

/** What the store keeps of a key: its SHA-256. One fast hash suffices, because keys are random, not chosen by people. */
export function hashApiKey(key: string): string {
  return createHash("sha256").update(key, "utf8").digest("hex");
}
