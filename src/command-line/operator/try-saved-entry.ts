import { tryEntry } from "../../service/administration/trials/entry-trial.ts";
import type { CatalogueKind } from "../../service/store/entities/catalogue-store.ts";
import { withTrialEngines } from "../engines.ts";
import { CommandError } from "./command-error.ts";
import type { Operator, Terminal } from "./operate.ts";

/** Tries a saved entry, and notes the outcome. Throws a CommandError if it does not work; it stays saved. */
export async function trySavedEntry(
  { store, organization, machine }: Pick<Operator, "store" | "organization" | "machine">,
  terminal: Terminal,
  kind: CatalogueKind,
  id: string,
): Promise<void> {
  const row = await store.catalogue.row(kind, organization.id, id);
  if (row === null) return;
  const parts = { environment: machine.environment, scriptUrl: terminal.scriptUrl };
  const trial = await withTrialEngines(machine, parts, (engines) => tryEntry(engines, kind, row));
  if (trial?.outcome === "failed")
    throw new CommandError(
      [
        `The ${kind} "${row.name}" is saved, but does not work. ${trial.detail}`,
        trial.remedy,
        "--no-try saves without a trial.",
      ]
        .filter(Boolean)
        .join(" "),
    );
  if (trial) terminal.note(`Tried: ${[trial.detail, trial.remedy].filter(Boolean).join(" ")}`);
}
