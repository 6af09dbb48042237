import { embedContextPutSchema, type EmbedContextPut } from "../../../protocol/embed-context.ts";
import { checkedContextSettings, furtherContextFaults, newContext } from "../../context-settings.ts";
import { Fault } from "../../fault.ts";
import { withoutAbsent } from "../../http/operations/absent-fields.ts";
import { checkedFields, joinedErrors } from "../../http/operations/validation.ts";
import { isPlainObject } from "../../plain-object.ts";
import { unknownFieldFaults } from "../../unknown-settings.ts";
import type { ContextRecord, Store } from "../../store/store.ts";
import { AdministrationError } from "../administration-error.ts";

type ContextStore = Pick<Store, "contexts" | "catalogue">;

/** Fields of a context's view that the service sets itself. They are not settings. */
const ownFields = new Set(["id", "context_id", "created_at", "updated_at", "revision"]);

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

/** The settings in the fields of a context, which may be a complete view. Throws a Fault that names each wrong field. */
async function settingsIn(
  { catalogue }: Pick<Store, "catalogue">,
  organizationId: string,
  fields: Record<string, unknown>,
): Promise<EmbedContextPut> {
  const given = Object.entries(fields).filter(([field]) => !ownFields.has(field));
  const present = withoutAbsent(embedContextPutSchema, Object.fromEntries(given));
  const checked = checkedFields(embedContextPutSchema, present);
  const errors = [
    ...unknownFieldFaults(given.map(([field]) => field)),
    ...(checked.ok ? [] : checked.errors),
  ];
  if (checked.ok && errors.length === 0)
    return checkedContextSettings(catalogue, organizationId, checked.data, "refused");
  const readable = isPlainObject(present) ? present : {};
  const further = await furtherContextFaults(catalogue, organizationId, readable, "refused");
  throw Fault.validation(joinedErrors(errors, further));
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
