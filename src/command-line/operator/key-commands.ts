import type { Command } from "commander";
import {
  createApiKey,
  listApiKeys,
  revokeApiKey,
  type ApiKeyState,
} from "../../service/administration/api-keys.ts";
import { expiryMs } from "./expiry.ts";
import { withHint } from "./command-error.ts";
import { operate, type Operator, type Terminal } from "./operate.ts";
import { forOrganization, type OrganizationOptions } from "./organization-choice.ts";
import { textTable } from "./text-table.ts";

const day = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

function stateText({ status, atMs }: ApiKeyState): string {
  if (status !== "active") return `${status} ${day(atMs)}`;
  return atMs === null ? "active" : `active until ${day(atMs)}`;
}

async function list({ store, organization, nowMs }: Operator, terminal: Terminal): Promise<void> {
  const keys = await listApiKeys(store, organization.id, nowMs);
  const rows = keys.map(({ id, name, createdAtMs, state }) => [id, name, day(createdAtMs), stateText(state)]);
  for (const line of textTable(["id", "name", "created", "state"], rows)) terminal.print(line);
}

async function create(
  { store, organization, nowMs }: Operator,
  terminal: Terminal,
  { name, expires }: { name: string; expires?: string },
): Promise<void> {
  const expiresAtMs = expires === undefined ? null : expiryMs(expires, nowMs);
  const made = await createApiKey(store, { organizationId: organization.id, name, expiresAtMs }, nowMs);
  terminal.print(made.key);
  terminal.note(`Key ${made.id} (${stateText(made.state)}). It is shown only once: keep it now.`);
}

async function revoke(
  { store, organization, nowMs }: Operator,
  terminal: Terminal,
  id: string,
): Promise<void> {
  await withHint("not_found", '"visavis key list" shows their ids', () =>
    revokeApiKey(store, organization.id, id, nowMs),
  );
  terminal.note(`Key ${id} is revoked.`);
}

/** `visavis key …`: the API keys of the callers of the service. */
export function addKeyCommands(program: Command, terminal: Terminal): void {
  const keys = program.command("key").description("API keys");
  forOrganization(keys.command("list"))
    .description("lists every key, without the keys themselves")
    .action((options: OrganizationOptions) =>
      operate(terminal, options, (operator) => list(operator, terminal)),
    );
  forOrganization(keys.command("create"))
    .description("creates a key and prints it once")
    .option("--name <name>", "what it is for", "Key")
    .option("--expires <when>", "days from now (30), or a date (2027-01-31); default: never")
    .action((options: OrganizationOptions & { name: string; expires?: string }) =>
      operate(terminal, options, (operator) => create(operator, terminal, options)),
    );
  forOrganization(keys.command("revoke <id>"))
    .description("makes a key invalid")
    .action((id: string, options: OrganizationOptions) =>
      operate(terminal, options, (operator) => revoke(operator, terminal, id)),
    );
}
