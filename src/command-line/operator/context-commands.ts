import type { Command } from "commander";
import { embedContextPutSchema, type EmbedContextPut } from "../../protocol/embed-context.ts";
import { checkedContextSettings, contextView, newContext } from "../../service/context-settings.ts";
import { Fault } from "../../service/fault.ts";
import { embedSnippet } from "../../service/http/embed-snippet.ts";
import { validated } from "../../service/http/validation.ts";
import type { ContextRecord } from "../../service/store/store.ts";
import { readJsonObject } from "./input.ts";
import { CommandError } from "./command-error.ts";
import { operate, type Operator, type Terminal } from "./operate.ts";
import { forOrganization, type OrganizationOptions } from "./organization-choice.ts";
import { jsonText, textTable } from "./text-table.ts";

/** What `show` prints and `replace` does not take: it is not for the operator to set. */
const ownFields = new Set(["id", "context_id", "created_at", "updated_at"]);

/** The context of a UUID or of a public embed key. */
async function named({ store, organization }: Operator, identifier: string): Promise<ContextRecord> {
  const found =
    (await store.contexts.byUuid(organization.id, identifier.toLowerCase())) ??
    (await store.contexts.byContextId(organization.id, identifier));
  if (found === null) throw new CommandError(`There is no context "${identifier}".`);
  return found;
}

async function readContext(
  { store, organization }: Operator,
  terminal: Terminal,
  file: string | undefined,
): Promise<EmbedContextPut> {
  const given = Object.entries(await readJsonObject(terminal, file)).filter(
    ([field]) => !ownFields.has(field),
  );
  const unknown = given.map(([field]) => field).filter((field) => !(field in embedContextPutSchema.shape));
  if (unknown.length > 0)
    throw Fault.validation(
      unknown.map((attr) => ({ code: "invalid", detail: "There is no such field.", attr })),
    );
  const settings = validated(embedContextPutSchema, Object.fromEntries(given));
  return checkedContextSettings(store.catalogue, organization.id, settings);
}

async function list({ store, organization }: Operator, terminal: Terminal): Promise<void> {
  const rows = (await store.contexts.list(organization.id)).map((context) => [
    context.contextId,
    context.id,
    context.name,
    context.is_active ? "active" : "inactive",
  ]);
  for (const line of textTable(["context_id", "id", "name", "state"], rows)) terminal.print(line);
}

async function create(operator: Operator, terminal: Terminal, file: string | undefined): Promise<void> {
  const { store, organization, nowMs } = operator;
  const context = newContext(organization.id, await readContext(operator, terminal, file), nowMs);
  await store.contexts.insert(context);
  terminal.print(jsonText(contextView(context)));
}

async function replace(
  operator: Operator,
  terminal: Terminal,
  identifier: string,
  file: string | undefined,
): Promise<void> {
  const { id } = await named(operator, identifier);
  const settings = await readContext(operator, terminal, file);
  const { store, organization, nowMs } = operator;
  const replaced = await store.contexts.replace(organization.id, id, settings, nowMs);
  if (replaced === null) throw new CommandError(`There is no context "${identifier}" any more.`);
  terminal.print(jsonText(contextView(replaced)));
}

async function remove(operator: Operator, terminal: Terminal, identifier: string): Promise<void> {
  const { id } = await named(operator, identifier);
  await operator.store.contexts.remove(operator.organization.id, id);
  terminal.note(`The context ${identifier} is removed.`);
}

/** `visavis context …`: the widgets that pages embed. */
export function addContextCommands(program: Command, terminal: Terminal): void {
  const contexts = program.command("context").description("embed contexts");
  forOrganization(contexts.command("list"))
    .description("every context")
    .action((options: OrganizationOptions) =>
      operate(terminal, options, (operator) => list(operator, terminal)),
    );
  forOrganization(contexts.command("create [file]"))
    .description("makes a context from JSON (a file, or the standard input)")
    .action((file: string | undefined, options: OrganizationOptions) =>
      operate(terminal, options, (operator) => create(operator, terminal, file)),
    );
  forOrganization(contexts.command("show <id>"))
    .description("a context by its id or context_id, as JSON")
    .action((id: string, options: OrganizationOptions) =>
      operate(terminal, options, async (operator) =>
        terminal.print(jsonText(contextView(await named(operator, id)))),
      ),
    );
  forOrganization(contexts.command("snippet <id>"))
    .description(
      "the markup that puts a context on a page, as JSON; script_pinned has the loader's integrity",
    )
    .action((id: string, options: OrganizationOptions) =>
      operate(terminal, options, async (operator) => {
        const { publicFolder } = operator.machine;
        const place = { publicUrl: operator.publicUrl, publicFolder };
        terminal.print(jsonText(await embedSnippet(await named(operator, id), place)));
      }),
    );
  forOrganization(contexts.command("replace <id> [file]"))
    .description("replaces every setting by JSON; what it leaves out is reset")
    .action((id: string, file: string | undefined, options: OrganizationOptions) =>
      operate(terminal, options, (operator) => replace(operator, terminal, id, file)),
    );
  forOrganization(contexts.command("delete <id>"))
    .description("removes a context")
    .action((id: string, options: OrganizationOptions) =>
      operate(terminal, options, (operator) => remove(operator, terminal, id)),
    );
}
