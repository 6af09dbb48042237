import type { Command } from "commander";
import { AdministrationError } from "../../service/administration/administration-error.ts";
import { chosenOrganization } from "../../service/administration/organizations.ts";
import type { OrganizationRecord } from "../../service/store/store.ts";
import { CommandError } from "./command-error.ts";
import { textTable } from "./text-table.ts";

/** The options that choose a command's organization. */
export interface OrganizationOptions {
  /** Its id or name. */
  organization?: string;
  /** Whether the command is about what all organizations share, and so for no single one. */
  shared?: boolean;
}

/** Adds the option that chooses one of several organizations. */
export function forOrganization(command: Command): Command {
  return command.option("--organization <id>", "whose, by id or name; not needed where there is one only");
}

/** The lines of a table of organizations for the operator. */
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

/** The organization of a command. Throws a CommandError; it lists the organizations when one of them must be named. */
export function organizationFor(
  organizations: readonly OrganizationRecord[],
  { organization: named, shared = false }: OrganizationOptions,
): OrganizationRecord {
  const [first] = organizations;
  if (shared && named === undefined && first) return first;
  try {
    return chosenOrganization(organizations, named);
  } catch (error) {
    if (!(error instanceof AdministrationError)) throw error;
    if (error.code === "organization_required")
      throw new CommandError(
        [
          `There are ${organizations.length} organizations; name one with --organization <id>:`,
          ...organizationTable(organizations),
        ].join("\n"),
      );
    throw new CommandError(`${error.message.replace(/\.$/, "")}; "visavis organization list" shows them.`);
  }
}
