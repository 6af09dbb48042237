import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { defaultQuotas } from "../../service/store/default-quotas.ts";
import type { Quotas } from "../../service/store/store.ts";
import { CommandError } from "./command-error.ts";
import { onStore, operate, type Operator, type StoreAccess, type Terminal } from "./operate.ts";
import { forOrganization, organizationTable, type OrganizationOptions } from "./organization-choice.ts";
import { checkedName } from "./checked-name.ts";
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
  if (!/^\d{1,10}$/.test(text) || value > 2_147_483_647)
    throw new CommandError(`${option} is "${text}"; set a whole number from 0 to 2147483647, or none.`);
  return value;
}

async function list({ store }: StoreAccess, terminal: Terminal): Promise<void> {
  for (const line of organizationTable(await store.organizations.list())) terminal.print(line);
}

async function create({ store, nowMs }: StoreAccess, terminal: Terminal, given: string): Promise<void> {
  const name = checkedName(given);
  if ((await store.organizations.list()).some((known) => known.name === name))
    throw new CommandError(`There is an organization "${name}" already; set another --name.`);
  const id = randomUUID();
  await store.organizations.insert({ id, name, createdAtMs: nowMs }, defaultQuotas);
  terminal.print(id);
  terminal.note(`It has no key yet: "visavis key create --organization ${id}" makes one.`);
}

async function show({ store, organization, nowMs }: Operator, terminal: Terminal): Promise<void> {
  const month = new Date(nowMs).toISOString().slice(0, 7);
  const quotas = await store.organizations.quotas(organization.id);
  const used = await store.organizations.usage(organization.id, month);
  const { id, name } = organization;
  terminal.print(jsonText({ id, name, quotas, used: { ...used, month } }));
}

async function setQuotas(
  operator: Operator,
  terminal: Terminal,
  options: Partial<Record<keyof Quotas, string>>,
): Promise<void> {
  const given = Object.entries(options).map(([quota, text]) => [quota, quotaValue(optionOf(quota), text)]);
  if (given.length === 0) throw new CommandError("Name at least one quota; --help shows them.");
  const { store, organization } = operator;
  await store.organizations.setQuotas(organization.id, Object.fromEntries(given) as Partial<Quotas>);
  await show(operator, terminal);
}

/** `visavis organization …`: whose the store is, and how much each may use. */
export function addOrganizationCommands(program: Command, terminal: Terminal): void {
  const organizations = program.command("organization").description("organizations and their quotas");
  organizations
    .command("list")
    .description("every organization, the oldest first")
    .action(() => onStore(terminal, (access) => list(access, terminal)));
  organizations
    .command("create")
    .description("makes an organization and prints its id")
    .requiredOption("--name <name>", "what it is called")
    .action(({ name }: { name: string }) => onStore(terminal, (access) => create(access, terminal, name)));
  forOrganization(organizations.command("show"))
    .description("its quotas (null: none) and what it uses, as JSON")
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
      setQuotas(operator, terminal, quotas),
    ),
  );
}
