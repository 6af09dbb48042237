import * as z from "zod/mini";
import { embedConfigSchema } from "../../../protocol/settings/embed-config.ts";
import {
  type ContextSettings,
  type EmbedContextAnswer,
  embedContextPutSchema,
} from "../../../protocol/settings/embed-context.ts";
import type { WireError } from "../../../protocol/schema/error-body.ts";
import { configReferenceFaults } from "../../contexts/context-references.ts";
import {
  checkedContextSettings,
  contextView,
  furtherContextFaults,
  newContext,
} from "../../contexts/context-settings.ts";
import { checkedFields, joinedErrors, withoutAbsent } from "../../http/operations/validation.ts";
import { isPlainObject } from "../../plain-object.ts";
import type { ContextRecord, Store } from "../../store/store.ts";
import { unknownFieldFaults, unknownSettingFaults } from "../../contexts/unknown-settings.ts";
import { validPart } from "../../contexts/valid-part.ts";
import { Fault } from "../../faults/fault.ts";
import { AdministrationError } from "../administration-error.ts";

type Catalogue = Pick<Store["catalogue"], "find">;

/** The configuration in its place, so that what is wrong with it is told by its path. */
const placedSchema = z.object({ embed_config: embedConfigSchema });

/** What of an `embed_config` has no effect: values that are not valid, keys that are no setting, and names of nothing. */
export async function configWarnings(
  catalogue: Catalogue,
  organizationId: string,
  given: unknown,
): Promise<WireError[]> {
  if (given === null || given === undefined) return [];
  const config = withoutAbsent(embedConfigSchema, given);
  const checked = checkedFields(placedSchema, { embed_config: config });
  const errors = checked.ok ? [] : checked.errors;
  if (!isPlainObject(config)) return errors;
  const readable = validPart(embedConfigSchema, config) ?? {};
  // A tool is one of a server's, so nothing is said of tools where the servers are wrong.
  const serversAreWrong = config["mcp_servers"] !== undefined && readable.mcp_servers === undefined;
  return joinedErrors(errors, [
    ...unknownSettingFaults(config),
    ...(await configReferenceFaults(catalogue, organizationId, {
      ...readable,
      ...(serversAreWrong && { mcp_tools: [] }),
    })),
  ]);
}

/** A context as its owner sees it when it is saved or shown alone: with what of it has no effect. */
export async function contextWithWarnings(
  catalogue: Catalogue,
  context: ContextRecord,
): Promise<EmbedContextAnswer> {
  const { organizationId, embed_config: config } = context;
  const warnings = await configWarnings(catalogue, organizationId, config);
  return { ...contextView(context), ...(warnings.length > 0 && { warnings }) };
}

type ContextStore = Pick<Store, "contexts" | "catalogue">;

/** Fields of a context's view that the service sets itself. They are not settings. */
const ownFields = new Set(["id", "context_id", "created_at", "updated_at", "revision", "warnings"]);

/** An organization's context by its UUID or public embed key. Throws AdministrationError `not_found`. */
export async function namedContext(
  { contexts }: Pick<Store, "contexts">,
  organizationId: string,
  identifier: string,
): Promise<ContextRecord> {
  const found =
    (await contexts.byUuid(organizationId, identifier.toLowerCase())) ??
    (await contexts.byContextId(organizationId, identifier));
  if (found === null || found.previewOf !== undefined)
    throw new AdministrationError("not_found", `There is no context "${identifier}".`);
  return found;
}

/**
 * The settings in the fields of a context, which may be a complete view. Throws a Fault that names each wrong field, and each setting
 * that would have no effect.
 */
async function settingsIn(
  { catalogue }: Pick<Store, "catalogue">,
  organizationId: string,
  fields: Record<string, unknown>,
): Promise<ContextSettings> {
  const given = Object.entries(fields).filter(([field]) => !ownFields.has(field));
  const present = withoutAbsent(embedContextPutSchema, Object.fromEntries(given));
  const checked = checkedFields(embedContextPutSchema, present);
  const errors = [
    ...unknownFieldFaults(given.map(([field]) => field)),
    ...(checked.ok ? [] : checked.errors),
  ];
  const readable = isPlainObject(present) ? present : {};
  const ineffective = await configWarnings(catalogue, organizationId, readable["embed_config"]);
  if (checked.ok && errors.length === 0 && ineffective.length === 0)
    return checkedContextSettings(catalogue, organizationId, checked.data);
  const further = await furtherContextFaults(catalogue, organizationId, readable);
  throw Fault.validation(joinedErrors(errors, [...ineffective, ...further]));
}

/** Creates a context of an organization. Throws a Fault that names each wrong field. */
export async function createContext(
  store: ContextStore,
  organizationId: string,
  fields: Record<string, unknown>,
  nowMs: number,
): Promise<ContextRecord> {
  const context = newContext(organizationId, await settingsIn(store, organizationId, fields), nowMs);
  await store.contexts.insert(context);
  return context;
}

/**
 * Replaces every setting of a context; settings that `fields` omit are reset. Throws a Fault that names each wrong field, and
 * AdministrationError `not_found`.
 */
export async function replaceContext(
  store: ContextStore,
  { organizationId, identifier }: { organizationId: string; identifier: string },
  fields: Record<string, unknown>,
  nowMs: number,
): Promise<ContextRecord> {
  const { id } = await namedContext(store, organizationId, identifier);
  const settings = await settingsIn(store, organizationId, fields);
  const replaced = await store.contexts.replace(organizationId, id, settings, nowMs);
  if (replaced === null)
    throw new AdministrationError("not_found", `The context "${identifier}" no longer exists.`);
  return replaced;
}

/**
 * Deletes a context. It ends its conversations at once, and can be restored until the service removes it. Throws AdministrationError
 * `not_found`.
 */
export async function removeContext(
  store: Pick<Store, "contexts">,
  organizationId: string,
  identifier: string,
  nowMs: number,
): Promise<ContextRecord> {
  const context = await namedContext(store, organizationId, identifier);
  await store.contexts.setDeleted(organizationId, context.id, nowMs);
  return context;
}

/** Undoes a deletion. Throws AdministrationError `not_found`, also when it is too late. */
export async function restoreContext(
  { contexts }: Pick<Store, "contexts">,
  organizationId: string,
  id: string,
): Promise<ContextRecord> {
  await contexts.setDeleted(organizationId, id, null);
  return namedContext({ contexts }, organizationId, id);
}
