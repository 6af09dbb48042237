import { basename } from "node:path";
import type { Command } from "commander";
import { systemClock } from "../../service/clock.ts";
import { addDocument } from "../../service/sessions/documents.ts";
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

function addKind(program: Command, terminal: Terminal, kind: CatalogueKind): Command {
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
        const { id, notes } = await putCatalogueEntry(operator, kind, fields, shared);
        terminal.print(id);
        for (const note of notes) terminal.note(note);
      }),
    );
  entries
    .command("delete <id>")
    .description("removes an entry")
    .action((id: string) => operate(terminal, (operator) => remove(operator, terminal, kind, id)));
  return entries;
}

async function addText(
  { store, files, organization }: Operator,
  terminal: Terminal,
  file: string | undefined,
  { title, ...rest }: { title?: string; description?: string },
): Promise<void> {
  const text = await terminal.read(file).catch((error: unknown) => {
    throw new CommandError(`${file ?? "The standard input"} cannot be read: ${String(error)}`);
  });
  const document = {
    organizationId: organization.id,
    title: title ?? (file ? basename(file) : "Document"),
    text,
    ...rest,
  };
  terminal.print(await addDocument({ store, files, clock: systemClock }, document));
}

/** A document is a text first, and its entry follows from it. */
function addDocumentTexts(documents: Command, terminal: Terminal): void {
  documents
    .command("add [file]")
    .description("adds a text or Markdown file (or the standard input) as a document")
    .option("--title <title>", "default: the file's name")
    .option("--description <text>", "what it is about")
    .action((file: string | undefined, options: { title?: string; description?: string }) =>
      operate(terminal, (operator) => addText(operator, terminal, file, options)),
    );
}

/** `visavis <kind> …`: what sessions can name. */
export function addCatalogueCommands(program: Command, terminal: Terminal): void {
  for (const kind of Object.keys(catalogueTable) as CatalogueKind[]) {
    const entries = addKind(program, terminal, kind);
    if (kind === "document") addDocumentTexts(entries, terminal);
  }
}
