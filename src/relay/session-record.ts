import { ownField } from "./own-field.ts";
import type { ServiceCall } from "./relay-deps.ts";
import { requestService } from "./service-request.ts";

/** What the service's record says about a session. */
export interface SessionRecord {
  /** `gone`: it has ended, or the service does not know it. `unknown`: the service could not say. */
  state: "live" | "gone" | "unknown";
  /** How long it was in progress, in ms; null if the record does not say. */
  durationMs: number | null;
}

const unknown: SessionRecord = { state: "unknown", durationMs: null };

/** Reads a session's record (interface specification, Session as retrieved). Never rejects. */
export async function readSessionRecord(service: ServiceCall, sessionId: string): Promise<SessionRecord> {
  try {
    const response = await requestService(service, `/api/v1/session/${encodeURIComponent(sessionId)}/`);
    if (response.status === 404 || response.status === 410) return { state: "gone", durationMs: null };
    if (!response.ok) return unknown;
    const body: unknown = await response.json();
    const status = ownField(body, "status");
    const duration = ownField(body, "duration_sec");
    if (typeof status !== "string") return unknown;
    return {
      state: status === "TERMINATED" ? "gone" : "live",
      durationMs: typeof duration === "number" && duration >= 0 ? duration * 1000 : null,
    };
  } catch {
    return unknown;
  }
}
