import { randomUUID } from "node:crypto";
import { hashApiKey, isApiKeyShaped } from "../api-key.ts";
import type { Clock } from "../clock.ts";
import { builtInEntries, retrievalModel } from "./built-in-entries.ts";
import { defaultQuotas } from "./default-quotas.ts";
import type { ContextRecord, Store } from "./store.ts";

/** What a start puts into a store. */
export interface SeedOptions {
  store: Store;
  clock: Clock;
  /** What the demo's avatar knows. */
  demoInstructions: string;
  /** The API key that is to work, whether or not it did before. Throws when it is no possible key. Default: none. */
  apiKey?: string | undefined;
}

/** Who answers in the demo shop: one context a character, all knowing the same. */
const demoAvatars = [
  { contextId: "ctx_demo", avatarName: "Mara", style: "mina", voice: "slt", backgroundId: "room" },
  { contextId: "ctx_tomas", avatarName: "Tomas", style: "tomas", voice: "rms", backgroundId: "room" },
  { contextId: "ctx_amara", avatarName: "Amara", style: "amara", voice: "slt", backgroundId: "calm" },
  { contextId: "ctx_ingrid", avatarName: "Ingrid", style: "ingrid", voice: "slt", backgroundId: "calm" },
] as const;

function demoContext(
  { contextId, avatarName, style, voice, backgroundId }: (typeof demoAvatars)[number],
  organizationId: string,
  instructions: string,
  nowMs: number,
): ContextRecord {
  return {
    id: randomUUID(),
    organizationId,
    contextId,
    name: "Alder Home",
    tts_type: `visavis-${voice}`,
    model_style: style,
    greeting: `Hello, I'm ${avatarName}. What are you looking for today?`,
    instructions,
    background_image: backgroundId,
    max_session_sec: 0,
    is_active: true,
    embed_config: {
      allowed_origins: ["http://localhost:*", "http://127.0.0.1:*"],
      llm_type: retrievalModel,
      ui: {
        avatar_name: avatarName,
        owner_name: "Alder Home",
        suggestions: ["Find a reading chair", "Delivery", "Returns", "Opening hours"],
      },
    },
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

async function ensureApiKey(store: Store, organizationId: string, apiKey: string, nowMs: number) {
  if (!isApiKeyShaped(apiKey))
    throw new Error("The API key must be 8 to 256 printable characters without spaces.");
  const hash = hashApiKey(apiKey);
  if (await store.apiKeys.byHash(hash)) return;
  await store.apiKeys.insert({
    id: randomUUID(),
    organizationId,
    name: "First key",
    hash,
    createdAtMs: nowMs,
    expiresAtMs: null,
    revokedAtMs: null,
  });
}

async function fill({ store, clock, demoInstructions, apiKey }: SeedOptions): Promise<void> {
  const nowMs = clock.nowMs();
  await store.catalogue.addBuiltIn(builtInEntries(nowMs));
  let organizationId = (await store.organizations.first())?.id;
  if (organizationId === undefined) {
    organizationId = randomUUID();
    const organization = { id: organizationId, name: "Visavis", createdAtMs: nowMs };
    await store.organizations.insert(organization, defaultQuotas);
    for (const avatar of demoAvatars)
      await store.contexts.insert(demoContext(avatar, organizationId, demoInstructions, nowMs));
  }
  if (apiKey !== undefined) await ensureApiKey(store, organizationId, apiKey, nowMs);
}

/**
 * Fills an empty store with an organization and the demo contexts, adds the built-in catalogue entries that it never had,
 * and makes sure that the given API key is known. What is there already stays as it is, and what was removed stays away, so
 * it may run at every start, and in several processes at once.
 */
export async function seed(options: SeedOptions): Promise<void> {
  await options.store.alone("seed", () => fill(options));
}
