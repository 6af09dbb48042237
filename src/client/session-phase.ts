import type { SessionState } from "./avatar-session.ts";
import type { VisavisError } from "./visavis-error.ts";

/**
 * The state with what it has: only a phase that has a call can be live. `Call` is the life of one session of the
 * service: its relay, its reports and its connection.
 */
export type SessionPhase<Call> =
  | { readonly state: "idle" }
  | { readonly state: "connecting"; readonly call: Call | null }
  | { readonly state: "live" | "reconnecting"; readonly call: Call }
  | { readonly state: "ended"; readonly reason: string }
  | { readonly state: "error"; readonly error: VisavisError };

/** What moves a session from phase to phase. */
export type PhaseSignal<Call> =
  | { readonly type: "start" }
  | { readonly type: "created"; readonly call: Call }
  | { readonly type: "connected" }
  | { readonly type: "link-lost" }
  | { readonly type: "finished"; readonly reason: string }
  | { readonly type: "failed"; readonly error: VisavisError };

/** The call of a phase, or null where it has none. */
export function callOf<Call>(phase: SessionPhase<Call>): Call | null {
  return "call" in phase ? phase.call : null;
}

/** Whether a start, a session or its recovery is under way. */
export function isActive(phase: { readonly state: SessionState }): boolean {
  return phase.state === "connecting" || phase.state === "live" || phase.state === "reconnecting";
}

/** The phase after a signal; the same object when the signal means nothing in this phase. */
export function nextPhase<Call>(phase: SessionPhase<Call>, signal: PhaseSignal<Call>): SessionPhase<Call> {
  const call = callOf(phase);
  switch (signal.type) {
    case "start":
      return isActive(phase) ? phase : { state: "connecting", call: null };
    case "created":
      return phase.state === "connecting" && !call ? { state: "connecting", call: signal.call } : phase;
    case "connected":
      return call && phase.state !== "live" ? { state: "live", call } : phase;
    case "link-lost":
      return call && phase.state === "live" ? { state: "reconnecting", call } : phase;
    case "finished":
      return isActive(phase) ? { state: "ended", reason: signal.reason } : phase;
    case "failed":
      return isActive(phase) ? { state: "error", error: signal.error } : phase;
  }
}
