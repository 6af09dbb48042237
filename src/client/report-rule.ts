import type { SessionEventKind } from "../protocol/session-event.ts";

/** What happened to a session and matters for its reports. */
export type ReportTrigger = "connected" | "beat" | "end" | "fail" | "terminated";

/** What has been reported: nothing, the start, or the end. */
export type ReportPhase = "new" | "started" | "closed";

/**
 * The rule of one END (wire conventions, Heartbeat): START once, DURING only after it, END or ERROR at most once, and
 * nothing after the service has terminated the session itself.
 */
export function nextReport(
  phase: ReportPhase,
  trigger: ReportTrigger,
): { phase: ReportPhase; event: SessionEventKind | null } {
  if (phase === "closed") return { phase, event: null };
  switch (trigger) {
    case "connected":
      return { phase: "started", event: phase === "new" ? "SESSION_START" : null };
    case "beat":
      return { phase, event: phase === "started" ? "SESSION_DURING" : null };
    case "end":
      return { phase: "closed", event: "SESSION_END" };
    case "fail":
      return { phase: "closed", event: "SESSION_ERROR" };
    case "terminated":
      return { phase: "closed", event: null };
  }
}
