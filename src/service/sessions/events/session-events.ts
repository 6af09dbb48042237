import { randomUUID } from "node:crypto";
import type { EventTerminateReason, SessionEventKind } from "../../../protocol/session/session-event.ts";
import type { SessionEventAnswer } from "../../../protocol/session/session-event-request.ts";
import type { TerminationReason } from "../../../protocol/session/session.ts";
import { Fault } from "../../faults/fault.ts";
import type { ServiceSettings } from "../../service-settings.ts";
import type { EventRecord } from "../../store/store.ts";
import type { EventBudget } from "./event-budget.ts";
import { dropEventFile, keepEventFile } from "./event-files.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import type { SessionLifecycle } from "../life/session-lifecycle.ts";
import { timeLeftSec, type SessionState, type SessionTrigger } from "../life/session-machine.ts";

/**
 * A UUID that starts with its time (RFC 9562, version 7). The index of stored events then grows at its end, instead of touching a
 * different page for each event.
 */
function timeOrderedUuid(nowMs: number): string {
  const time = Math.max(0, nowMs).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${randomUUID().slice(15)}`;
}

/** What a client reports. */
export interface EventReport {
  event: SessionEventKind;
  detail: string | null;
  file: Uint8Array | null;
}

/** How an event changes its session (wire conventions, States and Heartbeat). All other events use `passing`. */
const triggers: Partial<Record<SessionEventKind, SessionTrigger>> = {
  SESSION_START: { type: "connected", by: "event" },
  SESSION_DURING: { type: "alive", by: "event" },
  SESSION_END: { type: "end", reason: "GRACEFUL_TERMINATION", by: "client" },
  SESSION_ERROR: { type: "end", reason: "SESSION_MISC_ERROR", by: "client" },
};

/** The trigger of all other events: not a sign of life, but a quota may have run out in the meantime. */
const passing: SessionTrigger = { type: "tick", expireLeases: false };

function eventReason(reason: TerminationReason): EventTerminateReason {
  return reason === "SESSION_MISC_ERROR" ? "SESSION_EVENT_MISC_ERROR" : `SESSION_EVENT_${reason}`;
}

/** An event in the format of the interface. */
export function eventView(
  event: EventRecord,
  { publicUrl, serviceUrl = publicUrl }: Pick<ServiceSettings, "publicUrl" | "serviceUrl">,
): SessionEventAnswer {
  return {
    sessionevent_id: event.id,
    event: event.kind,
    detail: event.detail ?? "",
    file: event.file && `${serviceUrl}/api/v1/session/${event.sessionId}/event/${event.id}/file/`,
    created_at: new Date(event.createdAtMs).toISOString(),
    terminate: event.terminateReason !== null,
    terminate_reason: event.terminateReason,
  };
}

/**
 * Applies and stores a reported event. An event on an ended session is stored too, and answered with `terminate`. Throws a
 * not-found Fault.
 */
export async function reportEvent(
  dependencies: Pick<SessionDependencies, "store" | "files" | "clock" | "settings" | "log">,
  { lifecycle, budget }: { lifecycle: SessionLifecycle; budget: EventBudget },
  sessionId: string,
  { event, detail: given, file }: EventReport,
): Promise<SessionEventAnswer> {
  const { store, clock, settings } = dependencies;
  const isLifecycle = triggers[event] !== undefined;
  const { isStored, detail } = await budget.take(sessionId, { event, detail: given }, isLifecycle);
  const createdAtMs = clock.nowMs();
  const id = timeOrderedUuid(createdAtMs);
  if (file !== null) {
    // Checked first, so that no event names a file that does not exist.
    const session = await store.sessions.byId(sessionId);
    if (session === null) throw Fault.notFound();
    await keepEventFile(dependencies, session, id, file);
  }
  const record = ({ terminationReason }: SessionState): EventRecord => ({
    id,
    sessionId,
    kind: event,
    detail,
    file: file === null ? null : id,
    createdAtMs,
    terminateReason: terminationReason && eventReason(terminationReason),
  });
  const trigger = triggers[event] ?? passing;
  try {
    const session = await lifecycle.apply(sessionId, trigger, isStored ? { record } : {});
    if (session === null) throw Fault.notFound();
    const leftSec = timeLeftSec(session.state, clock.nowMs());
    return {
      ...eventView(record(session.state), settings),
      ...(leftSec !== undefined && { time_left_sec: leftSec }),
    };
  } catch (error) {
    if (file !== null) await dropEventFile(dependencies, id);
    throw error;
  }
}
