import type { ContextRecord, ContextVersion, Store } from "../../store/store.ts";
import { AdministrationError } from "../administration-error.ts";
import { checkedContextSettings, newContext } from "../../contexts/context-settings.ts";
import type { EmbedConfig } from "../../../protocol/settings/embed-config.ts";
import type { ContextSettings } from "../../../protocol/settings/embed-context.ts";
import { isPlainObject } from "../../plain-object.ts";
import { namedContext } from "./contexts.ts";

type ContextStore = Pick<Store, "contexts"> & { catalogue: Pick<Store["catalogue"], "find"> };

const nameMaxLength = 200;

/** A change that somebody makes to a context of an organization. */
export interface ContextEdit {
  organizationId: string;
  id: string;
  /** The name of the person who makes it. */
  by: string;
  nowMs: number;
}

/** The settings alone. */
function settingsOf(context: ContextRecord): ContextSettings {
  const { id: _id, organizationId: _organization, contextId: _key, ...rest } = context;
  const { createdAtMs: _created, updatedAtMs: _updated, revision: _revision, ...own } = rest;
  const { config: _config, previewOf: _preview, ...settings } = own;
  return settings;
}

async function replaced(
  { contexts }: Pick<Store, "contexts">,
  { organizationId, id, by, nowMs }: ContextEdit,
  settings: ContextSettings,
): Promise<ContextRecord> {
  const context = await contexts.replace(organizationId, id, settings, nowMs, { by });
  if (context === null) throw new AdministrationError("not_found", `The context "${id}" no longer exists.`);
  return context;
}

/** How often a change is tried again when somebody else saves at the same time. */
const changeAttempts = 5;

/** What the owner sent, with the settings that differ. What has no effect is kept. */
function withChanges(given: unknown, before: EmbedConfig, after: EmbedConfig): Record<string, unknown> {
  const result: Record<string, unknown> = isPlainObject(given) ? { ...given } : {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (before[key] === after[key]) continue;
    if (after[key] === undefined) Reflect.deleteProperty(result, key);
    else result[key] = after[key];
  }
  return result;
}

/**
 * Changes some settings of a context and keeps the others, even if others save at the same time. If others change the same
 * settings, nothing is saved. Throws AdministrationError `not_found`.
 */
export async function changeEmbedConfig(
  store: Pick<Store, "contexts">,
  { organizationId, id, by, nowMs }: ContextEdit,
  change: (config: EmbedConfig) => EmbedConfig,
): Promise<ContextRecord> {
  for (let attempt = 1; ; attempt += 1) {
    const context = await namedContext(store, organizationId, id);
    const { config, embed_config: given } = context;
    const changed = change(config);
    if (JSON.stringify(changed) === JSON.stringify(config)) return context;
    const settings = { ...settingsOf(context), embed_config: withChanges(given, config, changed) };
    const seen = attempt < changeAttempts ? { revision: context.revision } : {};
    const saved = await store.contexts.replace(organizationId, context.id, settings, nowMs, {
      by,
      ...seen,
    });
    if (saved !== null) return saved;
  }
}

/**
 * A copy of a context with a new embed key. It is switched off, because the copied pages would not know its key. Throws
 * AdministrationError `not_found`.
 */
export async function duplicateContext(
  store: Pick<Store, "contexts">,
  { organizationId, id, by, nowMs }: ContextEdit,
): Promise<ContextRecord> {
  const settings = settingsOf(await namedContext(store, organizationId, id));
  const ending = " (copy)";
  const name = `${settings.name.slice(0, nameMaxLength - ending.length)}${ending}`;
  const copy = newContext(organizationId, { ...settings, name, is_active: false }, nowMs);
  await store.contexts.insert(copy, by);
  return copy;
}

/** Switches a context on or off. Throws AdministrationError `not_found`. */
export async function setContextActive(
  store: Pick<Store, "contexts">,
  edit: ContextEdit,
  isActive: boolean,
): Promise<ContextRecord> {
  const context = await namedContext(store, edit.organizationId, edit.id);
  if (context.is_active === isActive) return context;
  return replaced(store, edit, { ...settingsOf(context), is_active: isActive });
}

/** The last versions of a context, the latest first. Throws AdministrationError `not_found`. */
export async function listVersions(
  store: Pick<Store, "contexts">,
  organizationId: string,
  id: string,
): Promise<ContextVersion[]> {
  const context = await namedContext(store, organizationId, id);
  return store.contexts.versions(context.id);
}

/**
 * Saves the settings of a former version again, as a new one. Throws AdministrationError `not_found`, and a Fault if the version
 * names something that no longer exists.
 */
export async function restoreVersion(
  store: ContextStore,
  edit: ContextEdit,
  revision: number,
): Promise<ContextRecord> {
  const versions = await listVersions(store, edit.organizationId, edit.id);
  const version = versions.find((one) => one.revision === revision);
  if (!version)
    throw new AdministrationError("not_found", `There is no version ${revision} of this context.`);
  const settings = await checkedContextSettings(store.catalogue, edit.organizationId, version.settings);
  return replaced(store, edit, settings);
}
