import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { hashApiKey } from "../../service/api-key.ts";
import type { ApiKeyRecord } from "../../service/store/store.ts";
import { newApiKey } from "../secrets.ts";
import { expiryMs } from "./expiry.ts";
import { checkedName } from "./checked-name.ts";
import { CommandError } from "./command-error.ts";
import { operate, type Operator, type Terminal } from "./operate.ts";
import { forOrganization, type OrganizationOptions } from "./organization-choice.ts";
import { textTable } from "./text-table.ts";

const day = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

function stateOf({ expiresAtMs, revokedAtMs }: ApiKeyRecord, nowMs: number): string {
  if (revokedAtMs !== null) return `revoked ${day(revokedAtMs)}`;
  if (expiresAtMs === null) return "active";
  return expiresAtMs <= nowMs ? `expired ${day(expiresAtMs)}` : `active until ${day(expiresAtMs)}`;
}

async function list({ store, organization, nowMs }: Operator, terminal: Terminal): Promise<void> {
  const keys = await store.apiKeys.list(organization.id);
  const rows = keys.map((key) => [key.id, key.name, day(key.createdAtMs), stateOf(key, nowMs)]);
  for (const line of textTable(["id", "name", "created", "state"], rows)) terminal.print(line);
}

async function create(
  { store, organization, nowMs }: Operator,
  terminal: Terminal,
  { name, expires }: { name: string; expires?: string },
): Promise<void> {
  const key = newApiKey();
  const record: ApiKeyRecord = {
    id: randomUUID(),
    organizationId: organization.id,
    name: checkedName(name),
    hash: hashApiKey(key),
    createdAtMs: nowMs,
    expiresAtMs: expires === undefined ? null : expiryMs(expires, nowMs),
    revokedAtMs: null,
  };
  await store.apiKeys.insert(record);
  terminal.print(key);
  terminal.note(`Key ${record.id} (${stateOf(record, nowMs)}). It is shown this once: keep it now.`);
}

async function revoke(
  { store, organization, nowMs }: Operator,
  terminal: Terminal,
  id: string,
): Promise<void> {
  const known = (await store.apiKeys.list(organization.id)).some((key) => key.id === id);
  if (!known || !(await store.apiKeys.revoke(id, nowMs)))
    throw new CommandError(`There is no key "${id}"; "visavis key list" shows their ids.`);
  terminal.note(`Key ${id} is revoked.`);
}

/** `visavis key …`: the API keys of those who may call the service. */
export function addKeyCommands(program: Command, terminal: Terminal): void {
  const keys = program.command("key").description("API keys");
  forOrganization(keys.command("list"))
    .description("every key, without the keys themselves")
    .action((options: OrganizationOptions) =>
      operate(terminal, options, (operator) => list(operator, terminal)),
    );
  forOrganization(keys.command("create"))
    .description("makes a key and prints it, once")
    .option("--name <name>", "what it is for", "Key")
    .option("--expires <when>", "days from now (30), or a date (2027-01-31); default: never")
    .action((options: OrganizationOptions & { name: string; expires?: string }) =>
      operate(terminal, options, (operator) => create(operator, terminal, options)),
    );
  forOrganization(keys.command("revoke <id>"))
    .description("lets a key open nothing any more")
    .action((id: string, options: OrganizationOptions) =>
      operate(terminal, options, (operator) => revoke(operator, terminal, id)),
    );
}
