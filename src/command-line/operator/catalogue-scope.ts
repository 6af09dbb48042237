import { withHint } from "./command-error.ts";
import { operate, type Operator, type Terminal } from "./operate.ts";
import type { OrganizationOptions } from "./organization-choice.ts";

/** The options that choose whose entries a command works on. */
export interface CatalogueOptions extends OrganizationOptions {
  /** Only the shared entries; default: those of the organization and the shared ones. */
  shared?: boolean;
}

/** The organization that a command works for, and whether it works on the shared entries only. */
export type CatalogueScope = Operator & { shared: boolean };

/** Runs a command on the entries that its options choose. */
export function onCatalogue(
  terminal: Terminal,
  options: CatalogueOptions,
  command: (scope: CatalogueScope) => Promise<void>,
): Promise<void> {
  return operate(terminal, options, (operator) =>
    withHint("shared_entry", "add --shared to change it for all of them", () =>
      command({ ...operator, shared: options.shared ?? false }),
    ),
  );
}
