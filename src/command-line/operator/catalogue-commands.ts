import type { Command } from "commander";
import type { CatalogueKind } from "../../service/store/catalogue-kinds.ts";
import { putCatalogueEntry } from "./catalogue-put.ts";
import { catalogueTable } from "./catalogue-table.ts";
import { readJsonObject } from "./json-input.ts";
import { CommandError, operate, type Operator, type Terminal } from "./operate.ts";
import { textTable } from "./text-table.ts";

async function list(
  { store, organization }: Operator,
  terminal: Terminal,
  kind: CatalogueKind,
): Promise<void> {
  const rows = await store.catalogue.rows(kind, organization.id);
  for (const line of textTable(
    ["id", "name"],
    rows.map(({ id, name }) => [id, name]),
  ))
    terminal.print(line);
}

async function named({ store, organization }: Operator, kind: CatalogueKind, identifier: string) {
  const row = await store.catalogue.row(kind, organization.id, identifier);
  if (row === null) throw new CommandError(`There is no ${kind} "${identifier}".`);
  return row;
}

/** In the form that `put` takes. */
async function show(operator: Operator, terminal: Terminal, kind: CatalogueKind, identifier: string) {
  const { body, engine } = await named(operator, kind, identifier);
  terminal.print(JSON.stringify({ ...body, ...(engine && { engine }) }, null, 2));
}

async function remove(operator: Operator, terminal: Terminal, kind: CatalogueKind, identifier: string) {
  const { id } = await named(operator, kind, identifier);
  const { catalogue } = operator.store;
  // It is the organization's own, or else everybody's.
  if (!(await catalogue.remove(kind, operator.organization.id, id))) await catalogue.remove(kind, null, id);
  terminal.note(`The ${kind} ${id} is removed.`);
}

function addKind(program: Command, terminal: Terminal, kind: CatalogueKind): void {
  const entries = program.command(kind.replaceAll("_", "-")).description(`the catalogue of ${kind}`);
  entries
    .command("list")
    .description("every entry")
    .action(() => operate(terminal, (operator) => list(operator, terminal, kind)));
  entries
    .command("show <id>")
    .description("an entry by id or name, as JSON, with its engine's settings")
    .action((id: string) => operate(terminal, (operator) => show(operator, terminal, kind, id)));
  entries
    .command("put [file]")
    .description("adds or replaces an entry by JSON (a file, or the standard input)")
    .option("--shared", "a new entry is for every organization")
    .action((file: string | undefined, { shared = false }: { shared?: boolean }) =>
      operate(terminal, async (operator) => {
        const fields = await readJsonObject(terminal, file);
        terminal.print(await putCatalogueEntry(operator, kind, fields, shared));
      }),
    );
  entries
    .command("delete <id>")
    .description("removes an entry")
    .action((id: string) => operate(terminal, (operator) => remove(operator, terminal, kind, id)));
}

/** `visavis <kind> …`: what sessions can name. */
export function addCatalogueCommands(program: Command, terminal: Terminal): void {
  for (const kind of Object.keys(catalogueTable) as CatalogueKind[]) addKind(program, terminal, kind);
}
