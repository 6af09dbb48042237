import type { Command } from "commander";
import { silentLogger } from "../../logging/logger.ts";
import { endLiveSession, listLiveSessions } from "../../service/administration/live-sessions.ts";
import { systemClock } from "../../service/clock.ts";
import { defaultServiceSettings } from "../../service/service-settings.ts";
import {
  createSessionLifecycle,
  type SessionLifecycle,
} from "../../service/sessions/life/session-lifecycle.ts";
import { withHint } from "./command-error.ts";
import { operate, type Operator, type Terminal } from "./operate.ts";
import { forOrganization, type OrganizationOptions } from "./organization-choice.ts";
import { textTable } from "./text-table.ts";

async function list({ store, organization }: Operator, terminal: Terminal): Promise<void> {
  const sessions = await listLiveSessions(store, organization.id);
  const rows = sessions.map(({ id, status, createdAtMs, durationSec, contextId }) => [
    id,
    status,
    new Date(createdAtMs).toISOString(),
    String(durationSec),
    contextId ?? "",
  ]);
  for (const line of textTable(["id", "status", "created", "duration_sec", "context"], rows))
    terminal.print(line);
}

/** Changes sessions like any process of the service does. The process with a session's media is notified. */
function lifecycleOf({ store, notices }: Operator): SessionLifecycle {
  return createSessionLifecycle({
    clock: systemClock,
    store,
    log: silentLogger,
    settings: { ...defaultServiceSettings, publicUrl: "", publicFolder: "" },
    media: { close: (sessionId) => notices.publish(sessionId) },
    // Nobody reads the metrics of a command.
    metrics: { sessionEnded: () => undefined },
  });
}

async function end(operator: Operator, terminal: Terminal, id: string): Promise<void> {
  const { store, organization } = operator;
  const parts = { sessions: store.sessions, lifecycle: lifecycleOf(operator) };
  const reason = await withHint("not_found", '"visavis session list" shows the live ones', () =>
    endLiveSession(parts, organization.id, id),
  );
  terminal.note(`Session ${id} is ended (${reason ?? "it is gone"}).`);
}

/** `visavis session …`: lists and ends live sessions. */
export function addSessionCommands(program: Command, terminal: Terminal): void {
  const sessions = program.command("session").description("live sessions");
  forOrganization(sessions.command("list"))
    .description("lists every session that has not ended, the oldest first")
    .action((options: OrganizationOptions) =>
      operate(terminal, options, (operator) => list(operator, terminal)),
    );
  forOrganization(sessions.command("end <id>"))
    .description("ends a session; its visitor is told")
    .action((id: string, options: OrganizationOptions) =>
      operate(terminal, options, (operator) => end(operator, terminal, id)),
    );
}
