import type { Command } from "commander";
import { operate, type Terminal } from "./operate.ts";

/** `visavis organization …`: whose the store is. */
export function addOrganizationCommands(program: Command, terminal: Terminal): void {
  const organizations = program.command("organization").description("the organization");
  organizations
    .command("show")
    .description("what it is, as JSON")
    .action(() =>
      operate(terminal, ({ organization }) => {
        terminal.print(JSON.stringify(organization, null, 2));
        return Promise.resolve();
      }),
    );
}
