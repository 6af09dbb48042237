import type { Command } from "commander";
import { originPattern } from "../../protocol/settings/embed-config.ts";
import { namedContext } from "../../service/administration/contexts/contexts.ts";
import { checkInstallation } from "../../service/administration/trials/installation-check.ts";
import { createTurnProbe } from "../../service/media/turn-probe.ts";
import { formatWords } from "../../service/http/operations/validation.ts";
import { withTrialEngines } from "../engines.ts";
import { CommandError } from "./command-error.ts";
import { operate, type Operator, type Terminal } from "./operate.ts";
import { forOrganization, type OrganizationOptions } from "./organization-choice.ts";

interface CheckOptions extends OrganizationOptions {
  origin?: string;
}

/** The origin in the form in which browsers send it. Throws a CommandError. */
function originOf(text: string): string {
  if (!originPattern.test(text) || text.includes("*"))
    throw new CommandError(`--origin is "${text}". ${formatWords(String(originPattern)) ?? ""}`);
  return new URL(text).origin;
}

/** The contexts of a check: the named one, else every active one. */
async function contextsOf({ store, organization }: Operator, identifier: string | undefined) {
  if (identifier !== undefined) return [await namedContext(store, organization.id, identifier)];
  return (await store.contexts.list(organization.id)).filter((context) => context.is_active);
}

async function check(
  operator: Operator,
  terminal: Terminal,
  identifier: string | undefined,
  { origin }: CheckOptions,
): Promise<void> {
  const contexts = await contextsOf(operator, identifier);
  const asked = origin === undefined ? undefined : originOf(origin);
  const { scriptUrl } = terminal;
  const { store, files, organization, publicUrl, ice, nowMs, machine } = operator;
  const failures = await withTrialEngines(
    machine,
    { environment: machine.environment, scriptUrl },
    async (engines) => {
      const turnProbe = createTurnProbe(scriptUrl("turn-probe-process"));
      const place = { store, files, organizationId: organization.id, publicUrl, ice, nowMs };
      let count = 0;
      for await (const line of checkInstallation(
        { ...place, engines, turnProbe, fetch },
        { contexts, origin: asked },
      )) {
        const { part, outcome, detail, remedy } = line;
        terminal.print([outcome.padEnd(8), `${part}:`, detail, remedy].filter(Boolean).join(" "));
        if (outcome === "failed") count++;
      }
      return count;
    },
  );
  if (failures > 0) throw new CommandError(failures === 1 ? "One part failed." : `${failures} parts failed.`);
}

/** `visavis check`: tries every part of the installation. */
export function addCheckCommand(program: Command, terminal: Terminal): void {
  forOrganization(program.command("check [context]"))
    .description(
      "tries address, storage, TURN, and the origins and engines of a context (of all active ones)",
    )
    .option("--origin <origin>", "the page's origin, such as https://shop.example: may it use the context?")
    .action((context: string | undefined, options: CheckOptions) =>
      operate(terminal, options, (operator) => check(operator, terminal, context, options)),
    );
}
