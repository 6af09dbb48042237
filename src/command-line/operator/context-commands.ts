import { randomBytes, randomUUID } from "node:crypto";
import type { Command } from "commander";
import { embedContextPutSchema, type EmbedContextPut } from "../../protocol/embed-context.ts";
import { contextReferenceFaults } from "../../service/context-references.ts";
import { Fault } from "../../service/fault.ts";
import { validated } from "../../service/http/validation.ts";
import type { ContextRecord } from "../../service/store/store.ts";
import { readJsonObject } from "./json-input.ts";
import { CommandError, operate, type Operator, type Terminal } from "./operate.ts";
import { textTable } from "./text-table.ts";

/** What `show` prints and `replace` does not take: it is not for the operator to set. */
const ownFields = new Set(["id", "context_id", "created_at", "updated_at"]);

function view({
  organizationId: _organization,
  contextId,
  createdAtMs,
  updatedAtMs,
  ...rest
}: ContextRecord) {
  const { id, ...settings } = rest;
  return {
    id,
    context_id: contextId,
    ...settings,
    created_at: new Date(createdAtMs).toISOString(),
    updated_at: new Date(updatedAtMs).toISOString(),
  };
}

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
  const faults = await contextReferenceFaults(store.catalogue, organization.id, settings);
  if (faults.length > 0) throw Fault.validation(faults);
  return settings;
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
  const context: ContextRecord = {
    ...(await readContext(operator, terminal, file)),
    id: randomUUID(),
    organizationId: operator.organization.id,
    contextId: `ctx_${randomBytes(12).toString("base64url")}`,
    createdAtMs: operator.nowMs,
    updatedAtMs: operator.nowMs,
  };
  await operator.store.contexts.insert(context);
  terminal.print(JSON.stringify(view(context), null, 2));
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
  terminal.print(JSON.stringify(view(replaced), null, 2));
}

/** `visavis context …`: the widgets that pages embed. */
export function addContextCommands(program: Command, terminal: Terminal): void {
  const contexts = program.command("context").description("embed contexts");
  contexts
    .command("list")
    .description("every context")
    .action(() => operate(terminal, (operator) => list(operator, terminal)));
  contexts
    .command("create [file]")
    .description("makes a context from JSON (a file, or the standard input)")
    .action((file?: string) => operate(terminal, (operator) => create(operator, terminal, file)));
  contexts
    .command("show <id>")
    .description("a context by its id or context_id, as JSON")
    .action((id: string) =>
      operate(terminal, async (operator) =>
        terminal.print(JSON.stringify(view(await named(operator, id)), null, 2)),
      ),
    );
  contexts
    .command("replace <id> [file]")
    .description("replaces every setting by JSON; what it leaves out is reset")
    .action((id: string, file?: string) =>
      operate(terminal, (operator) => replace(operator, terminal, id, file)),
    );
  contexts
    .command("delete <id>")
    .description("removes a context")
    .action((identifier: string) =>
      operate(terminal, async (operator) => {
        const { id } = await named(operator, identifier);
        await operator.store.contexts.remove(operator.organization.id, id);
        terminal.note(`The context ${identifier} is removed.`);
      }),
    );
}
