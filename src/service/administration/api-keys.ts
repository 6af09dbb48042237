import { randomUUID } from "node:crypto";
import { hashApiKey, newApiKey } from "../api-key.ts";
import type { ApiKeyRecord, Store } from "../store/store.ts";
import { AdministrationError } from "./administration-error.ts";
import { checkedName } from "./checked-name.ts";

type KeyStore = Pick<Store, "apiKeys">;

/** Whether a key is valid. `atMs`: since when it is not, or until when it is; null: forever. */
export type ApiKeyState =
  | { status: "active"; atMs: number | null }
  | { status: "expired" | "revoked"; atMs: number };

/** A key for its operator. The key itself is shown once, when it is created. */
export interface ApiKeyView {
  id: string;
  name: string;
  createdAtMs: number;
  state: ApiKeyState;
}

function stateOf({ expiresAtMs, revokedAtMs }: ApiKeyRecord, nowMs: number): ApiKeyState {
  if (revokedAtMs !== null) return { status: "revoked", atMs: revokedAtMs };
  if (expiresAtMs !== null && expiresAtMs <= nowMs) return { status: "expired", atMs: expiresAtMs };
  return { status: "active", atMs: expiresAtMs };
}

function viewOf(record: ApiKeyRecord, nowMs: number): ApiKeyView {
  const { id, name, createdAtMs } = record;
  return { id, name, createdAtMs, state: stateOf(record, nowMs) };
}

/** The keys of an organization, in order of creation. */
export async function listApiKeys(
  { apiKeys }: KeyStore,
  organizationId: string,
  nowMs: number,
): Promise<ApiKeyView[]> {
  return (await apiKeys.list(organizationId)).map((record) => viewOf(record, nowMs));
}

/**
 * Creates a key. The key is only in the result, because the store keeps just its hash. Throws AdministrationError `invalid_name`
 * and `invalid_expiry`.
 */
export async function createApiKey(
  { apiKeys }: KeyStore,
  { organizationId, name, expiresAtMs }: Pick<ApiKeyRecord, "organizationId" | "name" | "expiresAtMs">,
  nowMs: number,
): Promise<ApiKeyView & { key: string }> {
  if (expiresAtMs !== null && expiresAtMs <= nowMs)
    throw new AdministrationError("invalid_expiry", "The expiry is in the past; set a future time.", {
      field: "expires_at",
    });
  const key = newApiKey();
  const record: ApiKeyRecord = {
    id: randomUUID(),
    organizationId,
    name: checkedName(name),
    hash: hashApiKey(key),
    createdAtMs: nowMs,
    expiresAtMs,
    revokedAtMs: null,
  };
  await apiKeys.insert(record);
  return { ...viewOf(record, nowMs), key };
}

/** Revokes a key of an organization. It is invalid from now on. Throws AdministrationError `not_found`. */
export async function revokeApiKey(
  { apiKeys }: KeyStore,
  organizationId: string,
  id: string,
  nowMs: number,
): Promise<void> {
  const isKnown = (await apiKeys.list(organizationId)).some((key) => key.id === id);
  if (!isKnown || !(await apiKeys.revoke(id, nowMs)))
    throw new AdministrationError("not_found", `There is no key "${id}".`);
}
