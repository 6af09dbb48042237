import { basename } from "node:path";
import type { Command } from "commander";
import { systemClock } from "../../service/clock.ts";
import { addDocument, documentText } from "../../service/sessions/documents.ts";
import type { CatalogueKind } from "../../service/store/catalogue-kinds.ts";
import { checkOthers, ownerOf, putCatalogueEntry, type EntryOptions } from "./catalogue-put.ts";
import { catalogueTable } from "./catalogue-table.ts";
import { CommandError } from "./command-error.ts";
import { readInput, readJsonObject } from "./input.ts";
import { operate, type Operator, type Terminal } from "./operate.ts";
import { forOrganization, type OrganizationOptions } from "./organization-choice.ts";
import { jsonText, textTable } from "./text-table.ts";

async function list(operator: Operator, terminal: Terminal, kind: CatalogueKind, options: EntryOptions) {
  const rows = await operator.store.catalogue.rows(kind, ownerOf(operator, options));
  for (const line of textTable(
    ["id", "name", "owner"],
    rows.map(({ id, name, isShared }) => [id, name, isShared ? "everybody" : operator.organization.name]),
  ))
    terminal.print(line);
}

async function named(operator: Operator, kind: CatalogueKind, identifier: string, options: EntryOptions) {
  const row = await operator.store.catalogue.row(kind, ownerOf(operator, options), identifier);
  if (row === null) throw new CommandError(`There is no ${kind} "${identifier}".`);
  return row;
}

/** In the form that `put` takes. */
async function show(
  operator: Operator,
  terminal: Terminal,
  kind: CatalogueKind,
  identifier: string,
  options: EntryOptions,
) {
  const { body, engine } = await named(operator, kind, identifier, options);
  terminal.print(jsonText({ ...body, ...(engine && { engine }) }));
}

async function remove(
  operator: Operator,
  terminal: Terminal,
  kind: CatalogueKind,
  identifier: string,
  options: EntryOptions,
) {
  const row = await named(operator, kind, identifier, options);
  checkOthers(operator, kind, row, options);
  await operator.store.catalogue.remove(kind, row.isShared ? null : operator.organization.id, row.id);
  terminal.note(`The ${kind} ${row.id} is removed.`);
}

function addKind(program: Command, terminal: Terminal, kind: CatalogueKind): Command {
  const entries = program.command(kind.replaceAll("_", "-")).description(`the catalogue of ${kind}`);
  const command = (words: string) =>
    forOrganization(entries.command(words)).option("--shared", "about what every organization has");
  command("list")
    .description("every entry")
    .action((options: EntryOptions) =>
      operate(terminal, options, (operator) => list(operator, terminal, kind, options)),
    );
  command("show <id>")
    .description("an entry by id or name, as JSON, with its engine's settings (and their secrets)")
    .action((id: string, options: EntryOptions) =>
      operate(terminal, options, (operator) => show(operator, terminal, kind, id, options)),
    );
  command("put [file]")
    .description("adds or replaces an entry by JSON (a file, or the standard input)")
    .action((file: string | undefined, options: EntryOptions) =>
      operate(terminal, options, async (operator) => {
        const fields = await readJsonObject(terminal, file);
        const { id, notes } = await putCatalogueEntry(operator, kind, fields, options);
        terminal.print(id);
        for (const note of notes) terminal.note(note);
      }),
    );
  command("delete <id>")
    .description("removes an entry")
    .action((id: string, options: EntryOptions) =>
      operate(terminal, options, (operator) => remove(operator, terminal, kind, id, options)),
    );
  return entries;
}

interface DocumentOptions extends OrganizationOptions {
  title?: string;
  description?: string;
}

async function addText(
  { store, files, organization }: Operator,
  terminal: Terminal,
  file: string | undefined,
  { title, description = "" }: DocumentOptions,
): Promise<void> {
  const { path, bytes } = await readInput(terminal, file);
  const document = {
    organizationId: organization.id,
    title: title ?? (path === undefined ? "Document" : basename(path)),
    text: documentText(bytes),
    description,
  };
  terminal.print(await addDocument({ store, files, clock: systemClock }, document));
}

/** A document is a text first, and its entry follows from it. */
function addDocumentTexts(documents: Command, terminal: Terminal): void {
  forOrganization(documents.command("add [file]"))
    .description("adds a text or Markdown file (or the standard input) as a document")
    .option("--title <title>", "default: the file's name")
    .option("--description <text>", "what it is about")
    .action((file: string | undefined, options: DocumentOptions) =>
      operate(terminal, options, (operator) => addText(operator, terminal, file, options)),
    );
}

/** `visavis <kind> …`: what sessions can name. */
export function addCatalogueCommands(program: Command, terminal: Terminal): void {
  for (const kind of Object.keys(catalogueTable) as CatalogueKind[]) {
    const entries = addKind(program, terminal, kind);
    if (kind === "document") addDocumentTexts(entries, terminal);
  }
}
