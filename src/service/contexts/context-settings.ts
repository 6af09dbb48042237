import { randomBytes, randomUUID } from "node:crypto";
import * as z from "zod/mini";
import {
  type ContextSettings,
  contextSettingsSchema,
  type EmbedContextAnswer,
} from "../../protocol/settings/embed-context.ts";
import type { WireError } from "../../protocol/schema/error-body.ts";
import { readConfig } from "../../protocol/settings/read-config.ts";
import { settingReferenceFaults } from "./context-references.ts";
import { Fault } from "../faults/fault.ts";
import type { ContextRecord, Store } from "../store/store.ts";
import { validPart } from "./valid-part.ts";

/**
 * The settings of an embed context, after checking that what they name exists. Throws a Fault with one entry for each name that does
 * not. `embed_config` may be any JSON: what of it has no effect is a warning (`administration/contexts/context-warnings.ts`).
 */
export async function checkedContextSettings(
  catalogue: Pick<Store["catalogue"], "find">,
  organizationId: string,
  given: ContextSettings,
): Promise<ContextSettings> {
  // A form cannot send null, so it sends an empty text for no background.
  const settings = { ...given, background_image: given.background_image || null };
  const faults = [
    ...nameFaults(settings),
    ...(await settingReferenceFaults(catalogue, organizationId, settings)),
  ];
  if (faults.length > 0) throw Fault.validation(faults);
  return settings;
}

/** A name of nothing but spaces would be shown as no name at all. */
function nameFaults({ name }: { name?: string | undefined }): WireError[] {
  if (name === undefined || name.trim() !== "") return [];
  return [{ code: "blank", detail: "This field may not be blank.", attr: "name" }];
}

const readableSchema = z.partial(contextSettingsSchema);

/** What `checkedContextSettings` would say of fields that the schema refuses, as far as they can be read. */
export async function furtherContextFaults(
  catalogue: Pick<Store["catalogue"], "find">,
  organizationId: string,
  fields: Record<string, unknown>,
): Promise<WireError[]> {
  const { background_image: background, ...readable } = validPart(readableSchema, fields) ?? {};
  const settings = { ...readable, background_image: background || null };
  return [...nameFaults(readable), ...(await settingReferenceFaults(catalogue, organizationId, settings))];
}

/** A context with a new id and embed key, not stored yet. */
export function newContext(organizationId: string, settings: ContextSettings, nowMs: number): ContextRecord {
  return {
    ...settings,
    config: readConfig(settings.embed_config),
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
  config: _config,
  ...settings
}: ContextRecord): EmbedContextAnswer {
  return {
    id,
    context_id: contextId,
    ...settings,
    created_at: new Date(createdAtMs).toISOString(),
    updated_at: new Date(updatedAtMs).toISOString(),
  };
}
