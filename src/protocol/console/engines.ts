import * as z from "zod";

/** Kinds of engines, as the console groups them. */
export const engineKinds = ["model", "voice", "recognizer", "tools", "agent"] as const;
export type EngineKind = (typeof engineKinds)[number];

/**
 * How an engine is. `unavailable`: something that it needs is missing (its key, program or files); `failing`: its last call failed;
 * `ready`: nothing is missing, and nobody has called it yet.
 */
const engineStates = ["working", "ready", "unavailable", "failing"] as const;

/** Where an engine's key comes from. The key itself is never answered. */
const engineKeySchema = z.discriminatedUnion("from", [
  z.object({ from: z.literal("none") }),
  z.object({ from: z.literal("stored") }),
  z.object({ from: z.literal("environment"), variable: z.string(), is_set: z.boolean() }),
]);

/** The result of a real call. */
export const engineTestSchema = z.object({
  outcome: z.enum(["ok", "warning", "failed"]),
  detail: z.string(),
  /** What to do; null where nothing is wrong. */
  remedy: z.string().nullable(),
  /** Until its first word or sound, in ms; null where it gave none. */
  first_ms: z.number().nullable(),
  /** What a model said or a recognizer heard. */
  said: z.string().nullable(),
  at: z.string(),
});
export type EngineTest = z.infer<typeof engineTestSchema>;

/** An engine. */
export const engineSchema = z.object({
  kind: z.enum(engineKinds),
  /** Identifies it within its kind. */
  id: z.string(),
  name: z.string(),
  /** The program or protocol: `retrieval`, `chat-completions`, `flite`, `sherpa-onnx` and so on. */
  engine: z.string(),
  is_built_in: z.boolean(),
  /** Nothing leaves this server. */
  is_offline: z.boolean(),
  /** Every organization of the installation has it. */
  is_shared: z.boolean(),
  /** Whether the console may change it. */
  can_change: z.boolean(),
  state: z.enum(engineStates),
  /** Why it is `unavailable` or `failing`; null otherwise. */
  reason: z.string().nullable(),
  since: z.string().nullable(),
  /** Its address, without a path that may hold a secret; null where it has none. */
  address: z.string().nullable(),
  /** What it is called at that address. */
  model: z.string().nullable(),
  languages: z.array(z.string()),
  key: engineKeySchema,
  /** The avatars that use it. */
  used_by: z.array(z.object({ id: z.string(), name: z.string() })),
  last_test: engineTestSchema.nullable(),
  /** Settings as they can be sent back: without secrets. */
  settings: z.record(z.string(), z.unknown()),
  /** Counts the changes. */
  revision: z.number().int(),
});
export type Engine = z.infer<typeof engineSchema>;

/** Answer of GET /api/console/engines/. */
export const engineListSchema = z.array(engineSchema);

/**
 * Body of PUT /api/console/engines/{kind}/{id}/. `fields`: the entry as
 * `visavis llm-type put` takes it, without its engine's key. `key`: a new key to store encrypted, or the name of a variable;
 * default: the one that it has. `revision`: that of the engine as it was read, 0 for a new one; if somebody else has saved it since, the
 * answer is 409. Default: what others saved is replaced.
 */
export const enginePutSchema = z.object({
  fields: z.record(z.string(), z.unknown()),
  key: z
    .union([
      z.object({ value: z.string().min(1).max(4_000) }),
      z.object({ variable: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/) }),
      z.object({ none: z.literal(true) }),
    ])
    .optional(),
  revision: z.number().int().min(0).optional(),
});
export type EnginePut = z.infer<typeof enginePutSchema>;

/** Answer of that PUT with status 409: the engine as somebody else saved it. */
export const engineConflictSchema = z.object({
  type: z.literal("client_error"),
  errors: z.array(z.object({ code: z.literal("conflict"), detail: z.string(), attr: z.null() })),
  current: engineSchema,
});

/** A well-known provider of the OpenAI protocol. */
const enginePresetSchema = z.object({
  id: z.string(),
  name: z.string(),
  kinds: z.array(z.enum(engineKinds)),
  /** Empty where the owner has to give it. */
  base_url: z.string(),
  /** Whether it runs on the owner's own machine. */
  is_offline: z.boolean(),
  needs_key: z.boolean(),
  key_variable: z.string().nullable(),
});
export type EnginePreset = z.infer<typeof enginePresetSchema>;

/** Answer of GET /api/console/engine-presets/. */
export const enginePresetListSchema = z.array(enginePresetSchema);

/** Body of POST /api/console/engine-models/: an address of the OpenAI protocol, with its key. */
export const engineModelsQuerySchema = z.object({
  base_url: z.string().min(1).max(2_000),
  key: z.string().max(4_000).optional(),
});

/** Its answer: the names of the models at the address. */
export const engineModelsSchema = z.object({ models: z.array(z.string()) });

/** How an installation goes on. */
const installationStates = ["downloading", "unpacking", "installed", "failed"] as const;
export const installationSchema = z.object({
  model: z.string(),
  state: z.enum(installationStates),
  received_bytes: z.number().int(),
  total_bytes: z.number().int().nullable(),
  /** Why it failed, with what to do, or what the test said. */
  detail: z.string().nullable(),
  started_at: z.string(),
});
export type Installation = z.infer<typeof installationSchema>;

/** A model that runs on this server and can be installed. */
const offlineModelSchema = z.object({
  name: z.string(),
  kind: z.enum(["recognizer", "streaming recognizer", "voice", "voice activity", "library"]),
  languages: z.array(z.string()),
  licence: z.string().nullable(),
  bytes: z.number().int().nullable(),
  is_installed: z.boolean(),
  installation: installationSchema.nullable(),
});
export type OfflineModel = z.infer<typeof offlineModelSchema>;

/** Answer of GET /api/console/models/. */
export const offlineModelListSchema = z.array(offlineModelSchema);
