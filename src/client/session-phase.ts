import type { SessionState } from "./session-events.ts";
import type { VisavisError } from "./visavis-error.ts";

/**
 * The state together with what belongs to it: only a phase with a call can be live. A `Call` is one session of the service
 * with its relay, its reports and its connection.
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
  | { readonly type: "failed"; readonly error: VisavisError }
  /** The session of an earlier page is over. The next question begins a new one. */
  | { readonly type: "over" };

/** The call of a phase, or null if it has none. */
export function callOf<Call>(phase: SessionPhase<Call>): Call | null {
  return "call" in phase ? phase.call : null;
}

/** Whether a session is starting, live or recovering. */
export function isActive(phase: { readonly state: SessionState }): boolean {
  return phase.state === "connecting" || phase.state === "live" || phase.state === "reconnecting";
}

/** The phase after a signal. The same object if the signal has no effect in this phase. */
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
    case "over":
      return isActive(phase) ? { state: "idle" } : phase;
    case "failed":
      return isActive(phase) ? { state: "error", error: signal.error } : phase;
  }
}
