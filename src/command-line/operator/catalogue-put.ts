import { validated } from "../../service/http/validation.ts";
import { Fault } from "../../service/fault.ts";
import type { CatalogueKind, CatalogueKinds } from "../../service/store/catalogue-kinds.ts";
import type { EngineSettings, KeptRow, Store } from "../../service/store/store.ts";
import { catalogueTable, type CatalogueLine } from "./catalogue-table.ts";
import { CommandError } from "./command-error.ts";
import type { Operator } from "./operate.ts";
import type { OrganizationOptions } from "./organization-choice.ts";

type Fields = Record<string, unknown>;

/** What commands on catalogues say of whose entries they mean. */
export interface EntryOptions extends OrganizationOptions {
  /** Everybody's alone; default: the organization's and everybody's. */
  shared?: boolean;
}

/** Whose catalogue a command looks at, as the store has it. */
export function ownerOf({ organization }: Operator, { shared = false }: EntryOptions): string | null {
  return shared ? null : organization.id;
}

/**
 * Keeps a command for one organization from changing what others use too. Where there are no others, everybody's entries
 * are its own to change. Throws a CommandError.
 */
export function checkOthers(
  { isOnly }: Operator,
  kind: CatalogueKind,
  { id, isShared }: Pick<KeptRow<CatalogueKind>, "id" | "isShared">,
  { shared = false }: EntryOptions,
): void {
  if (isShared && !shared && !isOnly)
    throw new CommandError(
      `The ${kind} "${id}" is every organization's; add --shared to change it for all of them.`,
    );
}

function engineOf(engine: unknown): EngineSettings | null {
  if (engine === undefined || engine === null) return null;
  if (typeof engine !== "object" || Array.isArray(engine))
    throw Fault.invalid("invalid", "This field must be an object.", "engine");
  return engine as EngineSettings;
}

/** A field of the JSON as text, where it holds one. */
function textOf(fields: Fields, field: string): string | undefined {
  const value = fields[field];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The entry that the JSON means: the one of its id, else, where it names none, the one of its name. */
async function meant({ catalogue }: Store, owner: string | null, kind: CatalogueKind, fields: Fields) {
  const { id, name } = catalogueTable[kind];
  const asked = textOf(fields, id);
  const identifier = asked ?? textOf(fields, name);
  if (identifier === undefined) return null;
  const row = await catalogue.row(kind, owner, identifier);
  return row === null || (asked !== undefined && row.id !== asked) ? null : row;
}

/** What stays as it is when an entry is put again. */
function lasting(body: object, { id }: Pick<CatalogueLine<Fields>, "id">): Fields {
  return Object.fromEntries(Object.entries(body).filter(([field]) => field === id || field === "created_at"));
}

/** What the organization's own entry does to everybody's that was put. */
async function hidingNotes({ store, organization }: Operator, kind: CatalogueKind, id: string) {
  const seen = await store.catalogue.row(kind, organization.id, id);
  if (seen?.id !== id || seen.isShared) return [];
  return [`${organization.name} has a ${kind} "${id}" of its own, which goes before this one.`];
}

/**
 * Adds an entry to a catalogue, or replaces the one of the same id or name: `fields` are its body, with the private settings
 * of its engine under `engine`. Resolves with its id and with what its engine still needs; throws a Fault that names each
 * wrong field, and a CommandError.
 */
export async function putCatalogueEntry(
  operator: Operator,
  kind: CatalogueKind,
  { engine: givenEngine, ...fields }: Fields,
  options: EntryOptions,
): Promise<{ id: string; notes: string[] }> {
  const { store, organization, machine, nowMs } = operator;
  const line = catalogueTable[kind] as unknown as CatalogueLine<Fields>;
  const owner = ownerOf(operator, options);
  const known = await meant(store, owner, kind, fields);
  if (known) checkOthers(operator, kind, known, options);
  const circumstances = { now: new Date(nowMs).toISOString(), organizationId: organization.id };
  const whole = {
    ...line.defaults(circumstances),
    ...(known && lasting(known.body, line)),
    ...fields,
    // Whose an entry is, its JSON does not say: it may have been shown for another organization.
    ...("organization" in line.schema.shape && { organization: organization.id }),
  };
  const body = validated(line.schema.strict(), whole) as Fields;
  const engine = engineOf(givenEngine);
  const [id, name] = [body[line.id] as string, body[line.name] as string];
  for (const [field, text] of [
    [line.id, id],
    [line.name, name],
  ] as const)
    if (text.trim() === "") throw Fault.invalid("blank", "This field may not be blank.", field);
  const notes = await line.check(body, engine, { machine, store, owner });
  const isShared = owner === null || known?.isShared === true;
  await store.catalogue.put({
    kind,
    id,
    name,
    organizationId: isShared ? null : organization.id,
    createdAtMs: nowMs,
    body: body as unknown as CatalogueKinds[CatalogueKind],
    engine,
  });
  return { id, notes: isShared ? [...notes, ...(await hidingNotes(operator, kind, id))] : notes };
}
