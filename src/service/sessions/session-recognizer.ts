import { baseLanguage } from "../../protocol/text-language.ts";
import { Fault } from "../fault.ts";
import type { SpeechRecognizer } from "../speech/speech-recognizer.ts";
import type { CatalogueRow, SessionRecord, SessionRequest } from "../store/store.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { sessionLocale } from "./session-locale.ts";

type RecognizerDependencies = Pick<SessionDependencies, "store" | "recognizer">;

/** The only language that a recognizer understands; null if it understands several, or its row does not say. */
function onlyLanguage({ engine }: CatalogueRow<"stt_type">): string | null {
  const locale = engine?.["locale"];
  return typeof locale === "string" && locale !== "" ? baseLanguage(locale) : null;
}

/** The engine of a row; null where it is not available. */
function engineOf(
  { recognizer }: RecognizerDependencies,
  row: CatalogueRow<"stt_type">,
): SpeechRecognizer | null {
  try {
    return recognizer(row);
  } catch {
    // The row names an engine of another version.
    return null;
  }
}

/** The first recognizer of this machine that understands this language and no other. Visitors' speech goes to no other machine. */
async function localRecognizer(
  dependencies: RecognizerDependencies,
  { organizationId }: SessionRecord,
  language: string,
): Promise<SpeechRecognizer | null> {
  for (const row of await dependencies.store.catalogue.rows("stt_type", organizationId)) {
    const engine = onlyLanguage(row) === language ? engineOf(dependencies, row) : null;
    if (engine?.isLocal) return engine;
  }
  return null;
}

/**
 * The recognizer of a session: the context's own; where that understands only another language than the one that is spoken, one of
 * this machine that understands it. Throws a Fault: 400 when the session has no stt_type, 500 when its engine is not available.
 *
 * @param spoken the language that the client expects; default: that of the session
 */
export async function sessionRecognizer(
  dependencies: RecognizerDependencies,
  session: SessionRecord,
  spoken: string | undefined,
): Promise<{ engine: SpeechRecognizer; request: SessionRequest }> {
  const { store, recognizer } = dependencies;
  const request = (await store.sessions.detail(session.id))?.request;
  if (request?.stt_type === undefined)
    throw Fault.invalid("invalid", "This session was created without an stt_type.");
  const row = await store.catalogue.row("stt_type", session.organizationId, request.stt_type);
  const own = row && recognizer(row);
  const locale = spoken ?? sessionLocale(request);
  const known = row && onlyLanguage(row);
  const isOther = known !== null && locale !== undefined && baseLanguage(locale) !== known;
  const engine = (isOther && (await localRecognizer(dependencies, session, baseLanguage(locale)))) || own;
  if (!engine) throw Fault.server("The session's speech recognition is not available.");
  return { engine, request };
}
