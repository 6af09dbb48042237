import { randomBytes, randomUUID } from "node:crypto";
import type { EmbedContext, EmbedContextPut } from "../protocol/embed-context.ts";
import { contextReferenceFaults } from "./context-references.ts";
import { Fault } from "./fault.ts";
import type { ContextRecord, Store } from "./store/store.ts";

/** The settings of an embed context, all of whose names mean something. Throws a Fault with one entry for each that does not. */
export async function checkedContextSettings(
  catalogue: Pick<Store["catalogue"], "find">,
  organizationId: string,
  given: EmbedContextPut,
): Promise<EmbedContextPut> {
  // A form has no null, so it leaves the background out by an empty text.
  const settings = { ...given, background_image: given.background_image || null };
  const faults = await contextReferenceFaults(catalogue, organizationId, settings);
  if (faults.length > 0) throw Fault.validation(faults);
  return settings;
}

/** A context with an id and an embed key of its own, yet to be stored. */
export function newContext(organizationId: string, settings: EmbedContextPut, nowMs: number): ContextRecord {
  return {
    ...settings,
    id: randomUUID(),
    organizationId,
    contextId: `ctx_${randomBytes(9).toString("base64url")}`,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

/** A context as its owner sees it (interface specification, Embed context). */
export function contextView({
  id,
  organizationId: _organization,
  contextId,
  createdAtMs,
  updatedAtMs,
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
