import { hkdfSync, randomBytes } from "node:crypto";
import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";

/** Where a text belongs. With another context it cannot be decrypted. */
export type SecretContext = readonly (string | null)[];

/** Encrypts texts that must stay secret if the database is stolen. */
export interface SecretBox {
  /** Identifies the secret that encrypts, without revealing anything about it. */
  readonly keyId: string;
  /** The same for older secrets, whose texts can still be decrypted. */
  readonly olderKeyIds: readonly string[];
  seal(text: string, context: SecretContext): string;
  /** Decrypts a text. One that is not encrypted is returned as it is. Throws a SecretBoxError. */
  open(sealed: string, context: SecretContext): string;
  /** Whether a text is encrypted with the current secret. */
  isCurrent(text: string): boolean;
}

/** A text cannot be decrypted: `wrong_secret`, it was encrypted with another secret; `damaged`, it was changed since. */
export class SecretBoxError extends Error {
  override readonly name = "SecretBoxError";

  constructor(
    readonly code: "wrong_secret" | "damaged",
    message: string,
  ) {
    super(message);
  }

  static wrongSecret(): SecretBoxError {
    return new SecretBoxError(
      "wrong_secret",
      "The store's private settings are encrypted with another secret. Set VISAVIS_SECRET (or the store-secret file of the data folder) to the secret that encrypted them, or add that secret to VISAVIS_OLD_SECRETS.",
    );
  }

  static damaged(): SecretBoxError {
    return new SecretBoxError(
      "damaged",
      "An encrypted setting was damaged or moved to another entry; put that entry again.",
    );
  }
}

/** `sealed:1:<key id>:<nonce and ciphertext in base64url>`. The plain texts are JSON, which never begins like this. */
const sealedPattern = /^sealed:1:([0-9a-f]{16}):([A-Za-z0-9_-]+)$/;

/** Whether a text is encrypted, with any secret. */
export function isSealed(text: string): boolean {
  return sealedPattern.test(text);
}

const nonceBytes = 24;

interface Key {
  id: string;
  bytes: Uint8Array;
}

function derived(secret: string, purpose: string, length: number): Uint8Array {
  return new Uint8Array(
    hkdfSync("sha256", Buffer.from(secret, "utf8"), "", `visavis store ${purpose}`, length),
  );
}

function keyOf(secret: string): Key {
  return { id: Buffer.from(derived(secret, "key id", 8)).toString("hex"), bytes: derived(secret, "key", 32) };
}

const bytesOf = (context: SecretContext): Uint8Array => new TextEncoder().encode(JSON.stringify(context));

/**
 * A box that encrypts with a secret (XChaCha20-Poly1305, key derived by HKDF). `olderSecrets` decrypt what was encrypted
 * before the secret was changed.
 */
export function createSecretBox(secret: string, olderSecrets: readonly string[] = []): SecretBox {
  const current = keyOf(secret);
  const older = olderSecrets.map(keyOf);
  const keys = new Map([...older, current].map((key) => [key.id, key.bytes]));
  return {
    keyId: current.id,
    olderKeyIds: older.map(({ id }) => id),
    seal(text, context) {
      const nonce = new Uint8Array(randomBytes(nonceBytes));
      const cipher = xchacha20poly1305(current.bytes, nonce, bytesOf(context));
      const ciphertext = cipher.encrypt(new TextEncoder().encode(text));
      return `sealed:1:${current.id}:${Buffer.concat([nonce, ciphertext]).toString("base64url")}`;
    },
    open(sealed, context) {
      const [, id = "", content = ""] = sealedPattern.exec(sealed) ?? [];
      if (id === "") return sealed;
      const key = keys.get(id);
      if (!key) throw SecretBoxError.wrongSecret();
      const bytes = new Uint8Array(Buffer.from(content, "base64url"));
      const [nonce, ciphertext] = [bytes.subarray(0, nonceBytes), bytes.subarray(nonceBytes)];
      try {
        return new TextDecoder().decode(xchacha20poly1305(key, nonce, bytesOf(context)).decrypt(ciphertext));
      } catch {
        throw SecretBoxError.damaged();
      }
    },
    isCurrent: (text) => sealedPattern.exec(text)?.[1] === current.id,
  };
}
