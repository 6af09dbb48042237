/** A stored API key: its hash, never the key itself. Times are in ms since the Unix epoch. */
export interface ApiKeyRecord {
  id: string;
  organizationId: string;
  name: string;
  /** SHA-256 of the key, in hexadecimal. */
  hash: string;
  createdAtMs: number;
  expiresAtMs: number | null;
  revokedAtMs: number | null;
}

/** API keys. */
export interface ApiKeyStore {
  insert(key: ApiKeyRecord): Promise<void>;
  byHash(hash: string): Promise<ApiKeyRecord | null>;
  /** In order of creation. */
  list(organizationId: string): Promise<ApiKeyRecord[]>;
  /** Resolves with whether there is a key with that id. A key that was revoked before keeps its first time. */
  revoke(id: string, nowMs: number): Promise<boolean>;
}
