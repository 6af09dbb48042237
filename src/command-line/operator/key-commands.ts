import * as z from "zod";
import { CommandError, withHint } from "./command-error.ts";
import type { Command } from "commander";
import {
  type ApiKeyState,
  createApiKey,
  listApiKeys,
  revokeApiKey,
} from "../../service/administration/api-keys.ts";
import { operate, type Operator, type Terminal } from "./operate.ts";
import { forOrganization, type OrganizationOptions } from "./organization-choice.ts";
import { textTable } from "./text-table.ts";

const dayMs = 86_400_000;

const dateSchema = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]);

/** NaN if the text is not a date. A date without a time means the start of the day in UTC; a time without a zone is UTC too. */
function dateMs(text: string): number {
  if (!dateSchema.safeParse(text).success) return NaN;
  const isLocal = text.includes("T") && !/(?:Z|[+-]\d{2}:\d{2})$/.test(text);
  return Date.parse(isLocal ? `${text}Z` : text);
}

/**
 * When something expires, in ms since the Unix epoch: after a number of days (`30` or `30d`), or at a date (`2027-01-31`,
 * `2027-01-31T12:00:00Z`; UTC if it has no zone). Throws a CommandError for any other text, and for a time in the past.
 */
export function expiryMs(text: string, nowMs: number): number {
  const days = /^(\d{1,5})d?$/.exec(text)?.[1];
  const atMs = days === undefined ? dateMs(text) : nowMs + Number(days) * dayMs;
  if (Number.isNaN(atMs))
    throw new CommandError(
      `"${text}" is not an expiry; set a number of days such as 30, or a date such as 2027-01-31.`,
    );
  if (atMs <= nowMs) throw new CommandError(`"${text}" is in the past; set a future time.`);
  return atMs;
}

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
