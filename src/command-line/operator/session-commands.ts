import type { Command } from "commander";
import { systemClock } from "../../service/clock.ts";
import { defaultServiceSettings } from "../../service/service-settings.ts";
import { createSessionLifecycle } from "../../service/sessions/session-lifecycle.ts";
import { sessionDurationSec } from "../../service/sessions/session-machine.ts";
import type { SessionRecord } from "../../service/store/store.ts";
import { CommandError } from "./command-error.ts";
import { operate, silentLog, type Operator, type Terminal } from "./operate.ts";
import { forOrganization, type OrganizationOptions } from "./organization-choice.ts";
import { textTable } from "./text-table.ts";

const pageSize = 100;

/** Every live session of the organization. They all have a deadline, so all are due at the end of time. */
async function liveSessions({ store, organization }: Operator): Promise<SessionRecord[]> {
  const live: SessionRecord[] = [];
  let after: SessionRecord | undefined;
  do {
    const page = await store.sessions.due(Number.MAX_SAFE_INTEGER, pageSize, after);
    live.push(...page.filter(({ organizationId }) => organizationId === organization.id));
    after = page.length === pageSize ? page.at(-1) : undefined;
  } while (after);
  return live.sort((one, other) => one.state.createdAtMs - other.state.createdAtMs);
}

async function list(operator: Operator, terminal: Terminal): Promise<void> {
  const contexts = await operator.store.contexts.list(operator.organization.id);
  const contextIds = new Map(contexts.map(({ id, contextId }) => [id, contextId]));
  const rows = (await liveSessions(operator)).map(({ id, contextUuid, state }) => [
    id,
    state.status,
    new Date(state.createdAtMs).toISOString(),
    String(sessionDurationSec(state)),
    (contextUuid !== null && contextIds.get(contextUuid)) || "",
  ]);
  for (const line of textTable(["id", "status", "created", "duration_sec", "context"], rows))
    terminal.print(line);
}

/** Applies the end as any process of the service would; whichever has the session's media hears of it. */
async function end(
  { store, notices, organization }: Operator,
  terminal: Terminal,
  id: string,
): Promise<void> {
  const known = await store.sessions.byId(id);
  if (known?.organizationId !== organization.id)
    throw new CommandError(`There is no session "${id}"; "visavis session list" shows the live ones.`);
  if (known.state.terminationReason !== null)
    throw new CommandError(`Session ${id} has ended already (${known.state.terminationReason}).`);
  const lifecycle = createSessionLifecycle({
    clock: systemClock,
    store,
    log: silentLog,
    settings: { ...defaultServiceSettings, publicUrl: "", publicFolder: "" },
    media: { close: (sessionId) => notices.publish(sessionId) },
    // Nobody reads the figures of a command.
    metrics: { sessionEnded: () => undefined },
  });
  const ended = await lifecycle.apply(
    id,
    { type: "end", reason: "GRACEFUL_TERMINATION", by: "service" },
    { known },
  );
  terminal.note(`Session ${id} is ended (${ended?.state.terminationReason ?? "it is gone"}).`);
}

/** `visavis session …`: the sessions that live, and their ending. */
export function addSessionCommands(program: Command, terminal: Terminal): void {
  const sessions = program.command("session").description("live sessions");
  forOrganization(sessions.command("list"))
    .description("every session that has not ended, the oldest first")
    .action((options: OrganizationOptions) =>
      operate(terminal, options, (operator) => list(operator, terminal)),
    );
  forOrganization(sessions.command("end <id>"))
    .description("ends a session; its visitor is told")
    .action((id: string, options: OrganizationOptions) =>
      operate(terminal, options, (operator) => end(operator, terminal, id)),
    );
}
