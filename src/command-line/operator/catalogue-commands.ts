import { basename } from "node:path";
import type { Command } from "commander";
import { keysOf } from "../../protocol/schema/keys-of.ts";
import {
  listCatalogueEntries,
  namedCatalogueEntry,
  removeCatalogueEntry,
} from "../../service/administration/catalogue/catalogue-entries.ts";
import { putCatalogueEntry } from "../../service/administration/catalogue/catalogue-put.ts";
import { catalogueTable } from "../../service/administration/catalogue/catalogue-table.ts";
import { systemClock } from "../../service/clock.ts";
import { fileText } from "../../service/administration/knowledge/files/file-text.ts";
import { createTextReader } from "../../service/administration/knowledge/reading/text-reader.ts";
import { addDocument } from "../../service/sessions/documents.ts";
import type { CatalogueKind } from "../../service/store/entities/catalogue-store.ts";
import { canBeTried } from "../../service/administration/trials/entry-trial.ts";
import { onCatalogue, type CatalogueOptions, type CatalogueScope } from "./catalogue-scope.ts";
import { withHint } from "./command-error.ts";
import { readInput, readJsonObject } from "./input.ts";
import { operate, type Operator, type Terminal } from "./operate.ts";
import { forOrganization, type OrganizationOptions } from "./organization-choice.ts";
import { jsonText, textTable } from "./text-table.ts";
import { trySavedEntry } from "./try-saved-entry.ts";

/** The options of a catalogue command. */
interface EntryOptions extends CatalogueOptions {
  /** Whether what is put is tried with a real call; undefined for kinds that call nothing. */
  try?: boolean;
}

async function list(scope: CatalogueScope, terminal: Terminal, kind: CatalogueKind): Promise<void> {
  const rows = (await listCatalogueEntries(scope, kind)).map(({ id, name, isShared }) => [
    id,
    name,
    isShared ? "everybody" : scope.organization.name,
  ]);
  for (const line of textTable(["id", "name", "owner"], rows)) terminal.print(line);
}

const commandOf = (kind: CatalogueKind): string => kind.replaceAll("_", "-");

const withListHint = <Result>(kind: CatalogueKind, act: () => Promise<Result>): Promise<Result> =>
  withHint("not_found", `"visavis ${commandOf(kind)} list" shows those that there are`, act);

/** Shows an entry in the format that `put` reads. */
async function show(
  scope: CatalogueScope,
  terminal: Terminal,
  kind: CatalogueKind,
  identifier: string,
): Promise<void> {
  const { body, engine } = await withListHint(kind, () => namedCatalogueEntry(scope, kind, identifier));
  terminal.print(jsonText({ ...body, ...(engine && { engine }) }));
}

async function put(
  scope: CatalogueScope,
  terminal: Terminal,
  kind: CatalogueKind,
  file: string | undefined,
): Promise<string> {
  const { id, notes } = await putCatalogueEntry(scope, kind, await readJsonObject(terminal, file));
  terminal.print(id);
  for (const note of notes) terminal.note(note);
  return id;
}

async function remove(
  scope: CatalogueScope,
  terminal: Terminal,
  kind: CatalogueKind,
  identifier: string,
): Promise<void> {
  const removed = await withListHint(kind, () => removeCatalogueEntry(scope, kind, identifier));
  terminal.note(`The ${kind} ${removed} is removed.`);
}

function addKind(program: Command, terminal: Terminal, kind: CatalogueKind): Command {
  const entries = program.command(commandOf(kind)).description(`the catalogue of ${kind}`);
  const command = (words: string) =>
    forOrganization(entries.command(words)).option("--shared", "about what every organization has");
  command("list")
    .description("lists every entry")
    .action((options: EntryOptions) =>
      onCatalogue(terminal, options, (scope) => list(scope, terminal, kind)),
    );
  command("show <id>")
    .description("prints an entry by id or name, as JSON, with its engine's settings (and their secrets)")
    .action((id: string, options: EntryOptions) =>
      onCatalogue(terminal, options, (scope) => show(scope, terminal, kind, id)),
    );
  const putting = command("put [file]").description(
    "adds or replaces an entry from JSON (a file, or the standard input)",
  );
  if (canBeTried(kind)) putting.option("--no-try", "saves it without trying it with a real call");
  putting.action((file: string | undefined, options: EntryOptions) =>
    onCatalogue(terminal, options, async (scope) => {
      const id = await put(scope, terminal, kind, file);
      if (options.try === true) await trySavedEntry(scope, terminal, kind, id);
    }),
  );
  command("delete <id>")
    .description("removes an entry")
    .action((id: string, options: EntryOptions) =>
      onCatalogue(terminal, options, (scope) => remove(scope, terminal, kind, id)),
    );
  return entries;
}

interface DocumentOptions extends OrganizationOptions {
  title?: string;
  description?: string;
}

/** Reads what the console reads. */
async function readText({ scriptUrl }: Terminal, path: string | null, bytes: Uint8Array): Promise<string> {
  const reader = createTextReader({
    workerUrl: scriptUrl("reading-worker"),
    memoryBytes: () => process.memoryUsage.rss(),
  });
  try {
    return await fileText(path, bytes, reader);
  } finally {
    await reader.close();
  }
}

async function addText(
  { store, files, organization }: Operator,
  terminal: Terminal,
  file: string | undefined,
  { title, description = "" }: DocumentOptions,
): Promise<void> {
  const { path, bytes } = await readInput(terminal, file);
  const given = {
    organizationId: organization.id,
    title: title ?? (path === undefined ? "Document" : basename(path)),
    text: await readText(terminal, path ?? null, bytes),
    description,
    details: { source: "file" as const },
  };
  terminal.print(await addDocument({ store, files, clock: systemClock }, given));
}

/** The commands for documents: the text is added first, and the entry is created from it. */
function addDocumentTexts(catalogue: Command, terminal: Terminal): void {
  forOrganization(catalogue.command("add [file]"))
    .description("adds a PDF, Word (DOCX), HTML, text or Markdown file (or the standard input) as a document")
    .option("--title <title>", "default: the file's name")
    .option("--description <text>", "what it is about")
    .action((file: string | undefined, options: DocumentOptions) =>
      operate(terminal, options, (operator) => addText(operator, terminal, file, options)),
    );
}

/** `visavis <kind> …`: the catalogue entries that sessions can name. */
export function addCatalogueCommands(program: Command, terminal: Terminal): void {
  for (const kind of keysOf(catalogueTable)) {
    const entries = addKind(program, terminal, kind);
    if (kind === "document") addDocumentTexts(entries, terminal);
  }
}
