import type { Command } from "commander";
import { keysOf } from "../../protocol/schema/keys-of.ts";
import {
  createOrganization,
  organizationUse,
  quotaMax,
  setQuotas,
} from "../../service/administration/organizations.ts";
import type { Quotas } from "../../service/store/store.ts";
import { CommandError } from "./command-error.ts";
import { onStore, operate, type Operator, type StoreAccess, type Terminal } from "./operate.ts";
import { forOrganization, organizationTable, type OrganizationOptions } from "./organization-choice.ts";
import { jsonText } from "./text-table.ts";

/** The options of `set-quotas`, by the quotas they set. */
const quotaOptions = {
  activeSessions: "sessions that have not ended",
  minutesPerSession: "of one session",
  minutesPerMonth: "of all sessions in a calendar month",
  credits: "minutes that are left, whatever the month",
} as const satisfies Record<keyof Quotas, string>;

const optionOf = (quota: string): string =>
  `--${quota.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** A quota as it is typed: a whole number, or `none`. */
function quotaValue(option: string, text: string): number | null {
  if (text === "none") return null;
  const value = Number(text);
  if (!/^\d{1,10}$/.test(text) || value > quotaMax)
    throw new CommandError(`${option} is "${text}"; set a whole number from 0 to ${quotaMax}, or none.`);
  return value;
}

async function list({ store }: StoreAccess, terminal: Terminal): Promise<void> {
  for (const line of organizationTable(await store.organizations.list())) terminal.print(line);
}

async function create({ store, nowMs }: StoreAccess, terminal: Terminal, name: string): Promise<void> {
  const { id } = await createOrganization(store, name, nowMs);
  terminal.print(id);
  terminal.note(`It has no key yet: "visavis key create --organization ${id}" makes one.`);
}

async function show({ store, organization, nowMs }: Operator, terminal: Terminal): Promise<void> {
  terminal.print(jsonText(await organizationUse(store, organization, nowMs)));
}

async function change(
  operator: Operator,
  terminal: Terminal,
  options: Partial<Record<keyof Quotas, string>>,
): Promise<void> {
  const quotas: Partial<Quotas> = {};
  for (const quota of keysOf(quotaOptions)) {
    const text = options[quota];
    if (text !== undefined) quotas[quota] = quotaValue(optionOf(quota), text);
  }
  if (Object.keys(quotas).length === 0) throw new CommandError("Name at least one quota; --help shows them.");
  await setQuotas(operator.store, operator.organization.id, quotas);
  await show(operator, terminal);
}

/** `visavis organization …`: the organizations of the store, and their quotas. */
export function addOrganizationCommands(program: Command, terminal: Terminal): void {
  const organizations = program.command("organization").description("organizations and their quotas");
  organizations
    .command("list")
    .description("lists every organization, the oldest first")
    .action(() => onStore(terminal, (access) => list(access, terminal)));
  organizations
    .command("create")
    .description("creates an organization and prints its id")
    .requiredOption("--name <name>", "what it is called")
    .action(({ name }: { name: string }) => onStore(terminal, (access) => create(access, terminal, name)));
  forOrganization(organizations.command("show"))
    .description("prints its quotas (null: none) and what it uses, as JSON")
    .action((options: OrganizationOptions) =>
      operate(terminal, options, (operator) => show(operator, terminal)),
    );
  const command = forOrganization(organizations.command("set-quotas")).description(
    "changes the quotas that are named: a whole number, or none",
  );
  for (const [quota, meaning] of Object.entries(quotaOptions))
    command.option(`${optionOf(quota)} <number>`, meaning);
  command.action(({ organization, ...quotas }: OrganizationOptions & Partial<Record<keyof Quotas, string>>) =>
    operate(terminal, { ...(organization !== undefined && { organization }) }, (operator) =>
      change(operator, terminal, quotas),
    ),
  );
}
