import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { hashApiKey } from "../../service/api-key.ts";
import type { ApiKeyRecord } from "../../service/store/store.ts";
import { newApiKey } from "../secrets.ts";
import { expiryMs } from "./expiry.ts";
import { CommandError, operate, type Operator, type Terminal } from "./operate.ts";
import { textTable } from "./text-table.ts";

const nameMaxLength = 200;

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
  if (name.trim() === "" || name.length > nameMaxLength)
    throw new CommandError(`--name: set 1 to ${nameMaxLength} characters.`);
  const key = newApiKey();
  const record: ApiKeyRecord = {
    id: randomUUID(),
    organizationId: organization.id,
    name,
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
  keys
    .command("list")
    .description("every key, without the keys themselves")
    .action(() => operate(terminal, (operator) => list(operator, terminal)));
  keys
    .command("create")
    .description("makes a key and prints it, once")
    .option("--name <name>", "what it is for", "Key")
    .option("--expires <when>", "days from now (30), or a date (2027-01-31); default: never")
    .action((options: { name: string; expires?: string }) =>
      operate(terminal, (operator) => create(operator, terminal, options)),
    );
  keys
    .command("revoke <id>")
    .description("lets a key open nothing any more")
    .action((id: string) => operate(terminal, (operator) => revoke(operator, terminal, id)));
}
