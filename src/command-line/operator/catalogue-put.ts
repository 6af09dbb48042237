import { validated } from "../../service/http/validation.ts";
import { Fault } from "../../service/fault.ts";
import type { CatalogueKind, CatalogueKinds } from "../../service/store/catalogue-kinds.ts";
import type { EngineSettings } from "../../service/store/store.ts";
import { catalogueTable, type CatalogueLine } from "./catalogue-table.ts";
import type { Operator } from "./operate.ts";

type Fields = Record<string, unknown>;

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
async function meant({ store, organization }: Operator, kind: CatalogueKind, fields: Fields) {
  const { id, name } = catalogueTable[kind];
  const asked = textOf(fields, id);
  const identifier = asked ?? textOf(fields, name);
  if (identifier === undefined) return null;
  const row = await store.catalogue.row(kind, organization.id, identifier);
  return row === null || (asked !== undefined && row.id !== asked) ? null : row;
}

/** What stays as it is when an entry is put again. */
function lasting(body: object, { id }: Pick<CatalogueLine<Fields>, "id">): Fields {
  return Object.fromEntries(Object.entries(body).filter(([field]) => field === id || field === "created_at"));
}

/**
 * Adds an entry to a catalogue, or replaces the one of the same id or name: `fields` are its body, with the private settings
 * of its engine under `engine`. Resolves with its id and with what its engine still needs; throws a Fault that names each wrong field.
 */
export async function putCatalogueEntry(
  operator: Operator,
  kind: CatalogueKind,
  { engine: givenEngine, ...fields }: Fields,
  isShared: boolean,
): Promise<{ id: string; notes: string[] }> {
  const { store, organization, nowMs } = operator;
  const line = catalogueTable[kind] as unknown as CatalogueLine<Fields>;
  const known = await meant(operator, kind, fields);
  const circumstances = { now: new Date(nowMs).toISOString(), organizationId: organization.id };
  const whole = { ...line.defaults(circumstances), ...(known && lasting(known.body, line)), ...fields };
  const body = validated(line.schema.strict(), whole) as Fields;
  const engine = engineOf(givenEngine);
  const notes = line.checkEngine?.(body, engine, operator.machine) ?? [];
  const [id, name] = [body[line.id] as string, body[line.name] as string];
  for (const [field, text] of [
    [line.id, id],
    [line.name, name],
  ] as const)
    if (text === "") throw Fault.invalid("blank", "This field may not be blank.", field);
  await store.catalogue.put({
    kind,
    id,
    name,
    organizationId: isShared ? null : organization.id,
    createdAtMs: nowMs,
    body: body as unknown as CatalogueKinds[CatalogueKind],
    engine,
  });
  return { id, notes };
}
