import { AdministrationError } from "../administration-error.ts";
import type { WireError } from "../../../protocol/schema/error-body.ts";
import { checkedFields, joinedErrors, withoutAbsent } from "../../http/operations/validation.ts";
import { Fault } from "../../faults/fault.ts";
import { isPlainObject } from "../../plain-object.ts";
import type { CatalogueKind, CatalogueKinds } from "../../store/entities/catalogue-store.ts";
import type { EngineSettings, Store } from "../../store/store.ts";
import { type CatalogueLine, catalogueTable } from "./catalogue-table.ts";
import { type CatalogueScope, checkOthers, ownerOf } from "./catalogue-entries.ts";
import { validPart } from "../../contexts/valid-part.ts";
import type { CheckPlace, EngineMachine } from "../check-place.ts";

type Fields = Record<string, unknown>;

function engineOf(engine: unknown): EngineSettings | null {
  if (engine === undefined || engine === null) return null;
  if (!isPlainObject(engine)) throw Fault.invalid("invalid", "This field must be an object.", "engine");
  return engine;
}

/** A field of the JSON, if it is a text. */
function textOf<Field extends string>(
  fields: Readonly<Partial<Record<Field, unknown>>>,
  field: Field,
): string | undefined {
  const value = fields[field];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The text of a field that identifies an entry. Throws a Fault for one that shows nothing. */
function shownText<Field extends string>(
  fields: Readonly<Partial<Record<Field, unknown>>>,
  field: Field,
): string {
  const text = textOf(fields, field);
  if (text === undefined || text.trim() === "")
    throw Fault.invalid("blank", "This field may not be blank.", field);
  return text;
}

/** The existing entry that the JSON means: by its id, or by its name if it has no id. */
async function existingEntry(
  { catalogue }: Pick<Store, "catalogue">,
  owner: string | null,
  kind: CatalogueKind,
  fields: Fields,
) {
  const { id, name } = catalogueTable[kind];
  const asked = textOf(fields, id);
  const identifier = asked ?? textOf(fields, name);
  if (identifier === undefined) return null;
  const row = await catalogue.row(kind, owner, identifier);
  return row === null || (asked !== undefined && row.id !== asked) ? null : row;
}

/** The fields that stay unchanged when an entry is replaced. */
function unchangedFields(body: object, { id }: { id: string }): Fields {
  return Object.fromEntries(Object.entries(body).filter(([field]) => field === id || field === "created_at"));
}

/** The errors of the Fault that a check throws; none if it passes. */
async function errorsOf(check: () => string[] | Promise<string[]>): Promise<WireError[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof Fault) return error.body.errors;
    throw error;
  }
}

/** The body by its schema. Throws a Fault with all that is wrong with it and, as far as it can be read, with its engine. */
async function checkedBody<Body>(
  line: CatalogueLine<Body>,
  fields: Fields,
  givenEngine: unknown,
  place: CheckPlace,
): Promise<Body> {
  const schema = line.schema.strict();
  const present = withoutAbsent(schema, fields);
  const checked = checkedFields(schema, present);
  if (checked.ok) return checked.data;
  const readable = isPlainObject(present) ? validPart(schema, present) : undefined;
  const further =
    readable === undefined ? [] : await errorsOf(() => line.check(readable, engineOf(givenEngine), place));
  throw Fault.validation(joinedErrors(checked.errors, further));
}

/** A note if the organization's own entry hides the shared entry that was saved. */
async function hidingNotes({ store, organization }: CatalogueScope, kind: CatalogueKind, id: string) {
  const seen = await store.catalogue.row(kind, organization.id, id);
  if (seen?.id !== id || seen.isShared) return [];
  return [`${organization.name} has a ${kind} "${id}" of its own, which goes before this one.`];
}

/**
 * Adds an entry to a catalogue, or replaces the one with the same id or name. `fields` are its body, with the private settings of
 * its engine under `engine`. Resolves with its id and notes on what its engine still needs. With a `revision`, only the entry of that
 * one is replaced; 0: none is. Throws a Fault that names each wrong field, and AdministrationError `shared_entry` and `entry_changed`.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it ties the schema to the body that is stored
export async function putCatalogueEntry<Kind extends CatalogueKind>(
  scope: CatalogueScope & { machine: EngineMachine; nowMs: number; revision?: number | undefined },
  kind: Kind,
  { engine: givenEngine, ...fields }: Fields,
): Promise<{ id: string; notes: string[] }> {
  const { store, organization, machine, nowMs } = scope;
  const line: CatalogueLine<CatalogueKinds[Kind]> = catalogueTable[kind];
  const owner = ownerOf(scope);
  const known = await existingEntry(store, owner, kind, fields);
  if (known) checkOthers(scope, kind, known);
  const circumstances = { now: new Date(nowMs).toISOString(), organizationId: organization.id };
  const whole = {
    ...line.defaults(circumstances),
    ...(known && unchangedFields(known.body, line)),
    ...fields,
    // The JSON does not decide the owner: it may have been shown for another organization.
    ...("organization" in line.schema.shape && { organization: organization.id }),
  };
  const place = { machine, store, owner };
  const body = await checkedBody(line, whole, givenEngine, place);
  const engine = engineOf(givenEngine);
  const [id, name] = [shownText(body, line.id), shownText(body, line.name)];
  const notes = await line.check(body, engine, place);
  const isShared = owner === null || known?.isShared === true;
  const organizationId = isShared ? null : organization.id;
  const entry = { kind, id, name, organizationId, createdAtMs: nowMs, body, engine };
  if (!(await store.catalogue.put(entry, scope.revision)))
    throw new AdministrationError("entry_changed", `Somebody else saved the ${kind} "${id}" meanwhile.`);
  return { id, notes: isShared ? [...notes, ...(await hidingNotes(scope, kind, id))] : notes };
}
