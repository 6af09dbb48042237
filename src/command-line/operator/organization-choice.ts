import type { Command } from "commander";
import type { OrganizationRecord } from "../../service/store/store.ts";
import { CommandError } from "./command-error.ts";
import { textTable } from "./text-table.ts";

/** What a command says of the organization that it is for. */
export interface OrganizationOptions {
  /** Its id or name. */
  organization?: string;
  /** Whether the command is about what every organization has, and so for none of them. */
  shared?: boolean;
}

/** Lets a command be for one organization of several. */
export function forOrganization(command: Command): Command {
  return command.option("--organization <id>", "whose, by id or name; not needed where there is one only");
}

/** Lines that show organizations to their operator. */
export function organizationTable(organizations: readonly OrganizationRecord[]): string[] {
  return textTable(
    ["id", "name", "created"],
    organizations.map(({ id, name, createdAtMs }) => [
      id,
      name,
      new Date(createdAtMs).toISOString().slice(0, 10),
    ]),
  );
}

/**
 * The organization that a command is for, of all in the order they were made. Where there are several, one must be named:
 * the first of them would be a guess. Throws a CommandError.
 */
export function chosenOrganization(
  organizations: readonly OrganizationRecord[],
  { organization: named, shared = false }: OrganizationOptions,
): OrganizationRecord {
  const [first] = organizations;
  if (first === undefined) throw new CommandError("The store has no organization.");
  if (named !== undefined) {
    const meant =
      organizations.find(({ id }) => id === named) ?? organizations.find(({ name }) => name === named);
    if (meant) return meant;
    throw new CommandError(`There is no organization "${named}"; "visavis organization list" shows them.`);
  }
  if (organizations.length === 1 || shared) return first;
  throw new CommandError(
    [
      `There are ${organizations.length} organizations; name one with --organization <id>:`,
      ...organizationTable(organizations),
    ].join("\n"),
  );
}
