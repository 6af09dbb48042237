/** What replaces a credential. */
const mask = "[secret]";

/** Credentials by their form, each with what remains of it. */
const credentials: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // Session ids and secrets in hexadecimal; of an id, its reference is enough to find the session's other lines.
  [/\b([0-9a-f]{8})[0-9a-f]{32,}\b/gi, `$1${mask}`],
  [/\bvv_[\w-]{20,}/g, mask],
  [/\bsk-[\w-]{16,}/g, mask],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, mask],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${mask}`],
  [/(\w:\/\/[^\s:/@]*):[^\s/@]+@/g, `$1:${mask}@`],
];

/**
 * A text without what has the form of a credential: session ids, API keys, tokens, passwords in addresses. Messages of errors
 * come from libraries and engines, which may repeat what they were given.
 */
export function withoutSecrets(text: string): string {
  return credentials.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
}
