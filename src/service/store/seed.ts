import { randomUUID } from "node:crypto";
import type { BackgroundImage, LlmType, ModelStyle, TtsType } from "../../protocol/catalogue.ts";
import { hashApiKey, isApiKeyShaped } from "../api-key.ts";
import type { Clock } from "../clock.ts";
import { englishRules } from "../normalization/english-rules.ts";
import { koreanRules } from "../normalization/korean-rules.ts";
import type { NormalizationRule } from "../normalization/normalization-rule.ts";
import type { CatalogueKind, CatalogueKinds } from "./catalogue-kinds.ts";
import type { ContextRecord, Store } from "./store.ts";

/** What the first start puts into an empty store. */
export interface SeedOptions {
  store: Store;
  clock: Clock;
  /** What the demo's avatar knows. */
  demoInstructions: string;
  /** The API key that is to work, whether or not it did before. Throws when it is no possible key. Default: none. */
  apiKey?: string | undefined;
}

const characters = [
  ["mina", "Mina"],
  ["tomas", "Tomas"],
  ["amara", "Amara"],
  ["ingrid", "Ingrid"],
] as const;

function modelStyle(name: string, title: string): ModelStyle {
  const character = `/characters/${name}.json`;
  const config = (key: string, value: string) => ({ modelstyleconfig_id: `${name}-${key}`, key, value });
  return {
    name,
    model: name,
    model_files: [{ name: "character", file: character }],
    style: null,
    files: [
      { name: "character", file: character },
      { name: "poster", file: `/characters/${name}-poster.webp` },
      { name: "porthole", file: `/characters/${name}-porthole.webp` },
    ],
    configs: [config("matte", "packed-alpha"), config("title", title)],
    model_file: character,
    file: `/characters/${name}-poster.webp`,
    platform_type: "webrtc",
  };
}

function ttsType(voice: string): TtsType {
  return {
    name: `visavis-${voice}`,
    service: "visavis",
    streamable: true,
    model: "flite",
    voice,
    voice_settings: null,
    style: null,
    voice_extra_data: { language: "en" },
  };
}

const llmType: LlmType = { name: "visavis-retrieval", service: "visavis" };

function background(id: string, title: string, createdAt: string): BackgroundImage {
  return { backgroundimage_id: id, title, image: `/backgrounds/${id}.webp`, created_at: createdAt };
}

/** What people call Flite's voices, and how they sound. */
const fliteVoices = [
  ["slt", "Sally", "Flite, a woman's voice, US English"],
  ["rms", "Ray", "Flite, a man's voice, US English"],
  ["awb", "Alan", "Flite, a man's voice, Scottish English"],
  ["kal", "Kal", "Flite, a machine's voice of 8 kHz, US English"],
  ["kal16", "Kal 16", "Flite, a machine's voice of 16 kHz, US English"],
] as const;

/** The listed voices; the TTS type under the same id speaks with each. */
async function seedVoices(store: Store, nowMs: number): Promise<void> {
  const created_at = new Date(nowMs).toISOString();
  for (const [voice, name, description] of fliteVoices) {
    const id = `visavis-${voice}`;
    const body = { voice_id: id, name, created_at, description };
    const engine = { tts_type: id };
    const entry = {
      kind: "voice",
      id,
      name,
      organizationId: null,
      createdAtMs: nowMs,
      body,
      engine,
    } as const;
    await store.catalogue.put(entry);
  }
}

const normalizations: readonly (readonly [id: string, name: string, rules: NormalizationRule[]])[] = [
  ["visavis-english", "English", englishRules],
  ["visavis-korean", "Korean", koreanRules],
];

/** Text normalization: what everybody may read of a config, and beside it the rules. */
async function seedNormalizations(store: Store, nowMs: number): Promise<void> {
  for (const [id, name, rules] of normalizations)
    await store.catalogue.put({
      kind: "text_normalization_config",
      id,
      name,
      organizationId: null,
      createdAtMs: nowMs,
      body: {
        textnormalizationconfig_id: id,
        name,
        pre_hook_url: null,
        post_hook_url: null,
        created_at: new Date(nowMs).toISOString(),
        hook_enabled: false,
        pre_hook_args: null,
        post_hook_args: null,
      },
      engine: { rules },
    });
}

async function seedCatalogues(store: Store, nowMs: number): Promise<void> {
  const put = <Kind extends CatalogueKind>(kind: Kind, id: string, body: CatalogueKinds[Kind], name = id) =>
    store.catalogue.put({ kind, id, name, organizationId: null, createdAtMs: nowMs, body });
  const createdAt = new Date(nowMs).toISOString();
  for (const [name, title] of characters) await put("model_style", name, modelStyle(name, title));
  for (const [voice] of fliteVoices) await put("tts_type", `visavis-${voice}`, ttsType(voice));
  await seedVoices(store, nowMs);
  await put("llm_type", llmType.name, llmType);
  await put("background_image", "room", background("room", "Room", createdAt), "Room");
  await put("background_image", "calm", background("calm", "Calm", createdAt), "Calm");
  await seedNormalizations(store, nowMs);
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
      llm_type: llmType.name,
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
  let organizationId = (await store.organizations.first())?.id;
  if (organizationId === undefined) {
    organizationId = randomUUID();
    await seedCatalogues(store, nowMs);
    await store.organizations.insert({ id: organizationId, name: "Visavis", createdAtMs: nowMs });
    for (const avatar of demoAvatars)
      await store.contexts.insert(demoContext(avatar, organizationId, demoInstructions, nowMs));
  }
  if (apiKey !== undefined) await ensureApiKey(store, organizationId, apiKey, nowMs);
}

/**
 * Fills an empty store with an organization, the catalogues and the demo contexts, and makes sure that the given API key
 * is known. What is there already stays as it is, so it may run at every start, and in several processes at once.
 */
export async function seed(options: SeedOptions): Promise<void> {
  await options.store.alone("seed", () => fill(options));
}
