import { createHmac, randomBytes } from "node:crypto";

/** Secrets of Standard Webhooks are base64 after this. */
const secretPrefix = "whsec_";

/** A new secret for signing. */
export const newWebhookSecret = (): string => secretPrefix + randomBytes(32).toString("base64");

interface Signed {
  id: string;
  body: string;
  /** When it is sent, in seconds since the Unix epoch. */
  timestampSec: number;
}

/** The headers that prove who sends a request (Standard Webhooks, symmetric signatures). */
export function signatureHeaders(
  secret: string,
  { id, body, timestampSec }: Signed,
): Readonly<Record<string, string>> {
  const key = Buffer.from(secret.slice(secretPrefix.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestampSec}.${body}`).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestampSec),
    "webhook-signature": `v1,${signature}`,
  };
}
