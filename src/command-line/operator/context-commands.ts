import type { Command } from "commander";
import {
  createContext,
  namedContext,
  removeContext,
  replaceContext,
} from "../../service/administration/contexts/contexts.ts";
import { contextView } from "../../service/contexts/context-settings.ts";
import { packageLines, policyLines } from "../../protocol/page/embed-lines.ts";
import { embedSnippet } from "../../service/http/answers/embed-snippet.ts";
import { withHint } from "./command-error.ts";
import { readJsonObject } from "./input.ts";
import { operate, type Operator, type Terminal } from "./operate.ts";
import { forOrganization, type OrganizationOptions } from "./organization-choice.ts";
import { jsonText, textTable } from "./text-table.ts";

async function list({ store, organization }: Operator, terminal: Terminal): Promise<void> {
  const rows = (await store.contexts.list(organization.id)).map((context) => [
    context.contextId,
    context.id,
    context.name,
    context.is_active ? "active" : "inactive",
  ]);
  for (const line of textTable(["context_id", "id", "name", "state"], rows)) terminal.print(line);
}

const withListHint = <Result>(act: () => Promise<Result>): Promise<Result> =>
  withHint("not_found", '"visavis context list" shows those that there are', act);

/** The context that a command names. */
const named = ({ store, organization }: Operator, id: string) =>
  withListHint(() => namedContext(store, organization.id, id));

const indented = (lines: string): string => lines.replace(/^(?=.)/gm, "  ");

async function create(operator: Operator, terminal: Terminal, file: string | undefined): Promise<void> {
  const { store, organization, nowMs } = operator;
  const fields = await readJsonObject(terminal, file);
  const context = await createContext(store, organization.id, fields, nowMs);
  terminal.print(jsonText(contextView(context)));
  const { publicUrl, machine } = operator;
  const { script } = await embedSnippet(context, { publicUrl, publicFolder: machine.publicFolder });
  terminal.note(`Put this line on your page:\n\n${indented(script)}\n`);
  terminal.note(`Or, in a bundle of your own:\n\n${indented(packageLines(publicUrl, context.contextId))}\n`);
  terminal.note(
    `If your page sends a content security policy, add to it:\n\n${indented(policyLines(publicUrl))}\n`,
  );
  if ((context.config.allowed_origins ?? []).length === 0)
    terminal.note(
      `Only pages of ${publicUrl} may use it: add your page's origin to embed_config.allowed_origins.`,
    );
}

async function replace(
  { store, organization, nowMs }: Operator,
  terminal: Terminal,
  identifier: string,
  file: string | undefined,
): Promise<void> {
  const fields = await readJsonObject(terminal, file);
  const context = { organizationId: organization.id, identifier };
  const replaced = await withListHint(() => replaceContext(store, context, fields, nowMs));
  terminal.print(jsonText(contextView(replaced)));
}

async function remove(
  { store, organization, nowMs }: Operator,
  terminal: Terminal,
  identifier: string,
): Promise<void> {
  await withListHint(() => removeContext(store, organization.id, identifier, nowMs));
  terminal.note(`The context ${identifier} is removed.`);
}

/** `visavis context …`: the embed contexts of the widgets on pages. */
export function addContextCommands(program: Command, terminal: Terminal): void {
  const contexts = program.command("context").description("embed contexts");
  forOrganization(contexts.command("list"))
    .description("lists every context")
    .action((options: OrganizationOptions) =>
      operate(terminal, options, (operator) => list(operator, terminal)),
    );
  forOrganization(contexts.command("create [file]"))
    .description("creates a context from JSON (a file, or the standard input)")
    .action((file: string | undefined, options: OrganizationOptions) =>
      operate(terminal, options, (operator) => create(operator, terminal, file)),
    );
  forOrganization(contexts.command("show <id>"))
    .description("prints a context by its id or context_id, as JSON")
    .action((id: string, options: OrganizationOptions) =>
      operate(terminal, options, async (operator) =>
        terminal.print(jsonText(contextView(await named(operator, id)))),
      ),
    );
  forOrganization(contexts.command("snippet <id>"))
    .description(
      "prints the markup that puts a context on a page, as JSON; script_pinned has the loader's integrity",
    )
    .action((id: string, options: OrganizationOptions) =>
      operate(terminal, options, async (operator) => {
        const { publicFolder } = operator.machine;
        const place = { publicUrl: operator.publicUrl, publicFolder };
        terminal.print(jsonText(await embedSnippet(await named(operator, id), place)));
      }),
    );
  forOrganization(contexts.command("replace <id> [file]"))
    .description("replaces every setting with those in JSON; omitted ones are reset")
    .action((id: string, file: string | undefined, options: OrganizationOptions) =>
      operate(terminal, options, (operator) => replace(operator, terminal, id, file)),
    );
  forOrganization(contexts.command("delete <id>"))
    .description("removes a context")
    .action((id: string, options: OrganizationOptions) =>
      operate(terminal, options, (operator) => remove(operator, terminal, id)),
    );
}
