import { randomBytes, randomUUID } from "node:crypto";
import * as z from "zod/mini";
import type { EmbedContext, EmbedContextPut } from "../protocol/embed-context.ts";
import { embedContextPutSchema } from "../protocol/embed-context.ts";
import type { WireError } from "../protocol/error-body.ts";
import { contextReferenceFaults, type ReadableSettings } from "./context-references.ts";
import { Fault } from "./fault.ts";
import { unknownSettingFaults, type ForeignKeys } from "./unknown-settings.ts";
import type { ContextRecord, Store } from "./store/store.ts";
import { isPlainObject } from "./plain-object.ts";
import { validPart } from "./valid-part.ts";

/**
 * The settings of an embed context, after checking that everything they name exists and that every key is a setting. Throws a Fault
 * with one entry for each name that does not exist and for each unknown key. `foreignKeys` says what holds for a key of
 * `embed_config` that resembles no setting; the interface allows any JSON there.
 */
export async function checkedContextSettings(
  catalogue: Pick<Store["catalogue"], "find">,
  organizationId: string,
  given: EmbedContextPut,
  foreignKeys: ForeignKeys = "kept",
): Promise<EmbedContextPut> {
  // A form cannot send null, so it sends an empty text for no background.
  const settings = { ...given, background_image: given.background_image || null };
  const faults = [
    ...nameFaults(settings),
    ...unknownSettingFaults(settings.embed_config, foreignKeys),
    ...(await contextReferenceFaults(catalogue, organizationId, settings)),
  ];
  if (faults.length > 0) throw Fault.validation(faults);
  return settings;
}

/** A name of nothing but spaces would be shown as no name at all. */
function nameFaults({ name }: Pick<ReadableSettings, "name">): WireError[] {
  if (name === undefined || name.trim() !== "") return [];
  return [{ code: "blank", detail: "This field may not be blank.", attr: "name" }];
}

const readableSchema = z.partial(embedContextPutSchema);

/** The settings that can be read. A tool is one of a server's, so tools are left out where the servers are wrong. */
function readableSettings(fields: Record<string, unknown>): ReadableSettings {
  const {
    embed_config: config = {},
    background_image: background,
    ...readable
  } = validPart(readableSchema, fields) ?? {};
  const given = fields["embed_config"];
  const serversAreWrong =
    isPlainObject(given) && given["mcp_servers"] !== undefined && config.mcp_servers === undefined;
  return {
    ...readable,
    background_image: background || null,
    embed_config: { ...config, ...(serversAreWrong && { mcp_tools: [] }) },
  };
}

/** What `checkedContextSettings` would say of fields that the schema refuses, as far as they can be read. */
export async function furtherContextFaults(
  catalogue: Pick<Store["catalogue"], "find">,
  organizationId: string,
  fields: Record<string, unknown>,
  foreignKeys: ForeignKeys = "kept",
): Promise<WireError[]> {
  const config = fields["embed_config"];
  const readable = readableSettings(fields);
  return [
    ...nameFaults(readable),
    ...(isPlainObject(config) ? unknownSettingFaults(config, foreignKeys) : []),
    ...(await contextReferenceFaults(catalogue, organizationId, readable)),
  ];
}

/** A context with a new id and embed key, not stored yet. */
export function newContext(organizationId: string, settings: EmbedContextPut, nowMs: number): ContextRecord {
  return {
    ...settings,
    id: randomUUID(),
    organizationId,
    contextId: `ctx_${randomBytes(9).toString("base64url")}`,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    revision: 1,
  };
}

/** A context as its owner sees it (interface specification, Embed context). */
export function contextView({
  id,
  organizationId: _organization,
  contextId,
  createdAtMs,
  updatedAtMs,
  previewOf: _previewOf,
  ...settings
}: ContextRecord): EmbedContext {
  return {
    id,
    context_id: contextId,
    ...settings,
    created_at: new Date(createdAtMs).toISOString(),
    updated_at: new Date(updatedAtMs).toISOString(),
  };
}
