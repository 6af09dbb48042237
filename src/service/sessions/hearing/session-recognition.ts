import { baseLanguage } from "../../../protocol/answers/text-language.ts";
import { Fault } from "../../faults/fault.ts";
import type {
  Recognition,
  RecognitionRequest,
  RecognitionStream,
  RecognitionStreamRequest,
  SpeechRecognizer,
} from "../../speech/speech-recognizer.ts";
import type { CatalogueRow, SessionRecord, SessionRequest } from "../../store/store.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import { sessionLocale } from "../answers/session-language-rules.ts";
import type { SttResponse } from "../../../protocol/speech/recognition.ts";
import type { AudioErrorCode } from "../../audio/decoded-audio.ts";
import { type NormalizationDependencies, normalizedForSession } from "../speech/session-normalization.ts";

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
async function sessionRecognizer(
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

type RecognitionDependencies = NormalizationDependencies & Pick<SessionDependencies, "recognizer">;

const audioCodes: readonly AudioErrorCode[] = ["empty", "broken", "unsupported", "too_long"];

/** What is wrong with a file, or undefined when the error is not about the file. */
export function audioFault(error: unknown): { code: AudioErrorCode; detail: string } | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const code = audioCodes.find((known) => known === error.code);
  return code && { code, detail: error.message };
}

/**
 * What an engine recognizes. Throws a Fault when it fails: for the field `audio` if the file is the cause, else a server error.
 */
async function recognizedBy(
  recognition: Promise<Recognition>,
  signal: AbortSignal | undefined,
): Promise<Recognition> {
  try {
    return await recognition;
  } catch (error) {
    signal?.throwIfAborted();
    const fault = audioFault(error);
    if (fault) throw Fault.invalid("invalid", fault.detail, "audio");
    throw Fault.server("The speech recognition engine failed.", error);
  }
}

/** Normalizes the recognized text by the session's STT config. */
async function normalizedAnswer(
  dependencies: RecognitionDependencies,
  session: SessionRecord,
  request: SessionRequest,
  { text, locale }: Recognition,
  { language, signal }: Pick<RecognitionRequest, "language" | "signal">,
): Promise<SttResponse> {
  const normalized = await normalizedForSession(dependencies, session, request, {
    direction: "stt",
    text,
    signal,
  });
  return { text, locale: locale ?? language ?? null, normalized_text: normalized };
}

/**
 * Transcribes speech with the session's engine, and normalizes the text by the session's STT config. Throws a Fault: 400 when the
 * session has no stt_type, 500 when its engine fails. `heard`: the engine has heard the speech already.
 */
export async function recognizeSpeech(
  dependencies: RecognitionDependencies,
  session: SessionRecord,
  speech: RecognitionRequest,
  heard: Recognition | null = null,
): Promise<SttResponse> {
  const { engine, request } = await sessionRecognizer(dependencies, session, speech.language);
  const recognition =
    heard ?? (await recognizedBy(engine.recognize({ ...speech, session: session.id }), speech.signal));
  return normalizedAnswer(dependencies, session, request, recognition, speech);
}

/** Whether to recognize what may turn out to be only a part of a sentence costs nothing but time. Throws a Fault. */
export async function maySpeculate(
  dependencies: RecognitionDependencies,
  session: SessionRecord,
  language: string | undefined,
): Promise<boolean> {
  return (await sessionRecognizer(dependencies, session, language)).engine.isLocal ?? false;
}

/**
 * Opens a stream of the session's engine, for recognition while somebody speaks; null if the engine cannot do that. `charge` is
 * called before, only if it can. Throws a Fault, and what `charge` throws.
 */
export async function openStream(
  dependencies: RecognitionDependencies,
  session: SessionRecord,
  request: Omit<RecognitionStreamRequest, "session">,
  charge: () => Promise<void>,
): Promise<RecognitionStream | null> {
  const { engine } = await sessionRecognizer(dependencies, session, request.language);
  if (!engine.openStream) return null;
  await charge();
  return engine.openStream({ ...request, session: session.id });
}

/** An uploaded audio file. */
interface Upload {
  bytes: Uint8Array;
  language: string | undefined;
  signal: AbortSignal;
}

/** Answers POST …/stt/: a file that the session's engine reads itself, or one that the service decodes. Throws a Fault. */
export async function recognizeFile(
  dependencies: RecognitionDependencies & Pick<SessionDependencies, "audio">,
  session: SessionRecord,
  { bytes, language, signal }: Upload,
): Promise<SttResponse> {
  const { engine, request } = await sessionRecognizer(dependencies, session, language);
  const asFile = engine.recognizeFile?.({ bytes, language, signal });
  if (asFile)
    return normalizedAnswer(dependencies, session, request, await recognizedBy(asFile, signal), {
      language,
      signal,
    });
  const order = { session: session.id, signal };
  const audio = await dependencies.audio.decode(bytes, order).catch((error: unknown) => {
    signal.throwIfAborted();
    const fault = audioFault(error);
    if (fault) throw Fault.invalid("invalid", fault.detail, "audio");
    throw Fault.server("The audio could not be read.", error);
  });
  const speech = { ...audio, language, ...order };
  return normalizedAnswer(
    dependencies,
    session,
    request,
    await recognizedBy(engine.recognize(speech), signal),
    speech,
  );
}
