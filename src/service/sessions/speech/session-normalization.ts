import { randomUUID } from "node:crypto";
import { sessionReference } from "../../../logging/logger.ts";
import type { NormalizationFault } from "../../normalization/text-normalizer.ts";
import type { SessionRecord, SessionRequest } from "../../store/store.ts";
import type { SessionDependencies } from "../session-dependencies.ts";

/** Dependencies of text normalization for a session. */
export type NormalizationDependencies = Pick<SessionDependencies, "store" | "normalizer" | "clock" | "log">;

/** Whether a text is normalized before speech synthesis or after recognition. */
type Direction = "tts" | "stt";

function configOf(request: SessionRequest, direction: Direction) {
  return direction === "tts"
    ? { name: request.text_normalization_config, locale: request.text_normalization_locale }
    : { name: request.stt_text_normalization_config, locale: request.stt_text_normalization_locale };
}

/** Reports skipped steps: in the log, and as events of the session. */
async function recordFaults(
  { store, clock, log }: NormalizationDependencies,
  session: SessionRecord,
  direction: Direction,
  faults: readonly NormalizationFault[],
): Promise<void> {
  for (const { code, detail } of faults) {
    log.warn("text normalization step left out", {
      session: sessionReference(session.id),
      direction,
      code,
      detail,
    });
    await store.events.insert({
      id: randomUUID(),
      sessionId: session.id,
      kind: "SESSION_LOG",
      detail: `${direction} text normalization: ${code} (${detail})`,
      file: null,
      createdAtMs: clock.nowMs(),
      terminateReason: null,
    });
  }
}

/** A text normalized by the session's config for that direction; unchanged when the session has none. */
export async function normalizedForSession(
  dependencies: NormalizationDependencies,
  session: SessionRecord,
  request: SessionRequest,
  { direction, text, signal }: { direction: Direction; text: string; signal?: AbortSignal | undefined },
): Promise<string> {
  const { store, normalizer } = dependencies;
  const { name, locale } = configOf(request, direction);
  if (name === undefined) return text;
  const row = await store.catalogue.row("text_normalization_config", session.organizationId, name);
  if (row === null) return text;
  const normalized = await normalizer.normalize(row, text, { locale, signal });
  await recordFaults(dependencies, session, direction, normalized.faults);
  return normalized.text;
}
