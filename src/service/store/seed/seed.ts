import { randomUUID } from "node:crypto";
import { hashApiKey, isApiKeyShaped } from "../../api-key.ts";
import type { Clock } from "../../clock.ts";
import { builtInEntries, retrievalModel } from "./built-in-entries.ts";
import { defaultQuotas } from "../entities/quotas.ts";
import { isPlainObject } from "../../plain-object.ts";
import type { ContextRecord, Store } from "../store.ts";

/** Options of `seed`. */
export interface SeedOptions {
  store: Store;
  clock: Clock;
  /** The instructions of the demo contexts. */
  demoInstructions: string;
  /** What the demo contexts know: a document of the organization. Default: nothing. */
  demoKnowledge?: { title: string; text: string } | undefined;
  /** An API key that must work afterwards. An invalid one throws. Default: none. */
  apiKey?: string | undefined;
}

/** The avatars of the demo shop: one context per character, with the same instructions. */
export const demoAvatars = [
  { contextId: "ctx_demo", avatarName: "Mara", style: "mina", voice: "slt", backgroundId: "room" },
  { contextId: "ctx_tomas", avatarName: "Tomas", style: "tomas", voice: "rms", backgroundId: "room" },
  { contextId: "ctx_amara", avatarName: "Amara", style: "amara", voice: "slt", backgroundId: "calm" },
  { contextId: "ctx_ingrid", avatarName: "Ingrid", style: "ingrid", voice: "slt", backgroundId: "calm" },
] as const;

/** The sites that may show the demo avatars from the beginning: those of the machine itself. */
export const demoOrigins = ["http://localhost:*", "http://127.0.0.1:*"];

/** The embed keys of the avatars that every store begins with. */
export const demoKeys: ReadonlySet<string> = new Set(demoAvatars.map(({ contextId }) => contextId));

/** The id of the demo's document. It is of no organization, so that it is not taken for the owner's knowledge. */
const demoDocument = "visavis-demo-shop";

/** What all demo contexts have in common. */
interface DemoShop {
  organizationId: string;
  instructions: string;
  documents: string[];
  nowMs: number;
}

function demoContext(
  { contextId, avatarName, style, voice, backgroundId }: (typeof demoAvatars)[number],
  { organizationId, instructions, documents, nowMs }: DemoShop,
): Omit<ContextRecord, "config"> {
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
      allowed_origins: [...demoOrigins],
      llm_type: retrievalModel,
      ...(documents.length > 0 && { documents }),
      ui: {
        avatar_name: avatarName,
        owner_name: "Alder Home",
        suggestions: ["Find a reading chair", "Delivery", "Returns", "Opening hours"],
      },
    },
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    revision: 1,
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

/** The account that logs in with the installation's password. */
async function ensureFirstOwner(store: Store, organizationId: string, nowMs: number): Promise<void> {
  if (await store.accounts.first()) return;
  const role = "owner" as const;
  const owner = { id: randomUUID(), organizationId, role, isFirst: true, createdAtMs: nowMs };
  const password = { passwordHash: null, replacedPassword: null };
  // An account that was invited before may have the name already.
  for (let number = 1; ; number += 1) {
    const username = number === 1 ? "owner" : `owner-${number}`;
    if (await store.accounts.insert({ ...owner, ...password, username })) return;
  }
}

/** Adds what the demo contexts know. Resolves with the ids of their documents. */
async function addDemoKnowledge({ store, demoKnowledge }: SeedOptions, nowMs: number): Promise<string[]> {
  if (!demoKnowledge) return [];
  const { title, text } = demoKnowledge;
  const id = demoDocument;
  const now = new Date(nowMs).toISOString();
  const body = {
    document_id: id,
    title,
    file: `/api/v1/document/${id}/file/`,
    processed: true,
    processed_v2: true,
    created_at: now,
    updated_at: now,
    description: "",
    search_count: 0,
    ef_search: 0,
  };
  const row = { kind: "document" as const, id, name: title, organizationId: null, createdAtMs: nowMs };
  await store.catalogue.put({ ...row, body, engine: { text } });
  return [id];
}

/**
 * The demo avatars of older versions had what they know as their instructions, which are never quoted. Those that still have them get the
 * document; what an owner has changed stays.
 */
async function moveDemoKnowledge(options: SeedOptions, organizationId: string, nowMs: number): Promise<void> {
  const { store, demoInstructions: instructions, demoKnowledge } = options;
  for (const { contextId } of demoAvatars) {
    const context = await store.contexts.byContextId(organizationId, contextId);
    if (!context || !isPlainObject(context.embed_config)) continue;
    const { embed_config: config } = context;
    const hasDocument = config["document"] !== undefined || config["documents"] !== undefined;
    if (hasDocument || context.instructions.trim() !== demoKnowledge?.text) continue;
    const documents = await addDemoKnowledge(options, nowMs);
    const moved = { ...context, instructions, embed_config: { ...config, documents } };
    await store.contexts.replace(organizationId, context.id, moved, nowMs);
  }
}

async function fill(options: SeedOptions): Promise<void> {
  const { store, clock, demoInstructions: instructions, apiKey } = options;
  const nowMs = clock.nowMs();
  await store.catalogue.addBuiltIn(builtInEntries(nowMs));
  let organizationId = (await store.organizations.first())?.id;
  if (organizationId === undefined) {
    organizationId = randomUUID();
    const organization = { id: organizationId, name: "Visavis", createdAtMs: nowMs };
    await store.organizations.insert(organization, defaultQuotas);
    const documents = await addDemoKnowledge(options, nowMs);
    for (const avatar of demoAvatars)
      await store.contexts.insert(demoContext(avatar, { organizationId, instructions, documents, nowMs }));
  } else await moveDemoKnowledge(options, organizationId, nowMs);
  await ensureFirstOwner(store, organizationId, nowMs);
  if (apiKey !== undefined) await ensureApiKey(store, organizationId, apiKey, nowMs);
}

/**
 * Adds an organization, its first owner and the demo contexts to an empty store, adds built-in catalogue entries that were never added before,
 * adds the given API key if it is missing, and moves what the demo contexts of older versions know into their document. Nothing else changes, and removed entries do not come back, so it may run at
 * every start and in several processes at once.
 */
export async function seed(options: SeedOptions): Promise<void> {
  await options.store.alone("seed", () => fill(options));
}
