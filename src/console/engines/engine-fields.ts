import type { Engine, EngineKind, EnginePreset, EnginePut } from "../../protocol/console/engines.ts";

import {
  moreFaultNames,
  moreNames,
  moreOf,
  moreSettings,
  toolServerFields,
  type More,
} from "./engine-more.ts";

/** Kinds of engines that the console adds and changes. Agents are set up by the commands of a shell. */
export const editedKinds = ["model", "voice", "recognizer", "tools"] as const satisfies readonly EngineKind[];
export type EditedKind = (typeof editedKinds)[number];

/** Where an engine's key comes from, as it is chosen. `keep`: the one that it has. */
export const keyChoices = ["keep", "value", "variable", "none"] as const;
export type KeyChoice = (typeof keyChoices)[number];

/** What was typed for an engine. */
export interface EngineDraft {
  readonly kind: EditedKind;
  readonly name: string;
  readonly address: string;
  /** What it is called at the address. */
  readonly model: string;
  readonly voice: string;
  readonly keyChoice: KeyChoice;
  /** A key, or the name of a variable; by `keyChoice`. */
  readonly key: string;
  /** The provider that was chosen; empty: none. */
  readonly preset: string;
  readonly more: More;
}

/** Whether the console adds and changes engines of a kind. */
export const isEdited = (kind: EngineKind): kind is EditedKind => editedKinds.some((one) => one === kind);

const textOf = (settings: Engine["settings"], key: string): string => {
  const value = settings[key];
  return typeof value === "string" ? value : "";
};

/** What the form begins with: an engine that is changed, or nothing. */
export function draftOf(kind: EditedKind, engine: Engine | null): EngineDraft {
  const more = moreOf(kind, engine);
  if (engine === null)
    return {
      kind,
      name: "",
      address: "",
      model: "",
      voice: "",
      keyChoice: "value",
      key: "",
      preset: "",
      more,
    };
  const { key, settings } = engine;
  return {
    kind,
    name: engine.name,
    address: textOf(settings, "base_url") || (engine.address ?? ""),
    model: textOf(settings, "model"),
    voice: textOf(settings, "voice"),
    keyChoice: key.from === "none" ? "none" : "keep",
    key: "",
    preset: "",
    more,
  };
}

/** A draft with the address and the variable of a provider. */
export function withPreset(draft: EngineDraft, preset: EnginePreset): EngineDraft {
  return {
    ...draft,
    preset: preset.id,
    address: preset.base_url,
    keyChoice: preset.needs_key || preset.base_url === "" ? "value" : "none",
    key: "",
  };
}

/** Providers whose entries bear their name, because the service knows what they can do. */
const services = ["openai", "azure", "google", "anthropic"];

const keyOf = ({ keyChoice, key }: EngineDraft): EnginePut["key"] => {
  if (keyChoice === "value") return key === "" ? { none: true } : { value: key };
  if (keyChoice === "variable") return { variable: key };
  return keyChoice === "none" ? { none: true } : undefined;
};

/** The body of the request that saves a draft. `engine`: the one that is changed; null: a new one. */
export function engineBody(draft: EngineDraft, engine: Engine | null): EnginePut {
  const { kind, address, model, voice, preset, more } = draft;
  const key = keyOf(draft);
  const sent = { ...(key !== undefined && { key }), revision: engine?.revision ?? 0 };
  if (kind === "tools") {
    const added = engine === null && { transport_protocol: "streamable_http" };
    return { fields: { ...added, name: draft.name, url: address, ...toolServerFields(more) }, ...sent };
  }
  const settings = {
    ...engine?.settings,
    base_url: address,
    ...(model !== "" && { model }),
    ...(kind === "voice" && voice !== "" && { voice }),
    ...moreSettings(kind, more),
  };
  const service = services.includes(preset) ? preset : "onpremise";
  return { fields: { ...(engine === null && { service }), engine: settings }, ...sent };
}

/** My draft on top of what somebody else saved: what I did not change is theirs. `base`: what both began with. */
export function mergedDraft(base: EngineDraft, mine: EngineDraft, theirs: EngineDraft): EngineDraft {
  const pick = <Name extends keyof EngineDraft>(name: Name): EngineDraft[Name] =>
    mine[name] === base[name] ? theirs[name] : mine[name];
  const isKeyMine = mine.keyChoice !== base.keyChoice || mine.key !== base.key;
  const { keyChoice, key } = isKeyMine ? mine : theirs;
  const more = { ...theirs.more };
  for (const name of moreNames) if (mine.more[name] !== base.more[name]) more[name] = mine.more[name];
  const texts = { address: pick("address"), model: pick("model"), voice: pick("voice") };
  return { ...theirs, ...texts, keyChoice, key, more };
}

/** What a draft has that another one has not, by the names of its fields. */
export function changedFields(
  before: EngineDraft,
  after: EngineDraft,
): ("address" | "model" | "voice" | "more")[] {
  const texts = (["address", "model", "voice"] as const).filter((name) => before[name] !== after[name]);
  const isMore = moreNames.some((name) => before.more[name] !== after.more[name]);
  return isMore ? [...texts, "more"] : texts;
}

/** The reason for one of the form's fields in the reasons of an answer. */
export function faultOfField(fields: Readonly<Record<string, string>>, field: string): string | undefined {
  const names: Readonly<Record<string, readonly string[]>> = {
    address: ["base_url", "url"],
    key: ["api_key", "api_key_env", "auth_header"],
    ...moreFaultNames,
  };
  for (const name of [field, ...(names[field] ?? [])])
    for (const path of [name, `engine.${name}`, `fields.${name}`, `fields.engine.${name}`, `key.${name}`])
      if (fields[path] !== undefined) return fields[path];
  return Object.entries(fields).find(([path]) => path.startsWith(`${field}.`))?.[1];
}
