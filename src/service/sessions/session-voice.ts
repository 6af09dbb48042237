import { textLanguage } from "../../protocol/text-language.ts";
import type { SpeechSynthesizer } from "../speech/speech-synthesizer.ts";
import type { CatalogueRow, SessionRecord, SessionRequest } from "../store/store.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { sessionLocale } from "./session-locale.ts";
import { spokenLanguage } from "./spoken-language.ts";
import { speaksLanguage, voiceLanguages } from "./voice-languages.ts";

/** The engine of a session's speech, and the name of its voice. */
interface SessionVoice {
  engine: SpeechSynthesizer;
  voice: string;
}

/** Whose catalogue the voice is in. */
type VoiceOwner = Pick<SessionRecord, "organizationId">;

/** The parts of a session's request that decide about its voice. */
type VoiceChoice = Pick<SessionRequest, "tts_type" | "text_normalization_locale" | "extra_data">;

type VoiceDependencies = Pick<SessionDependencies, "store" | "synthesizer">;

/** A voice with the catalogue row that it comes from. */
interface CatalogueVoice extends SessionVoice {
  row: CatalogueRow<"tts_type">;
}

function voiceOf(
  { synthesizer }: VoiceDependencies,
  row: CatalogueRow<"tts_type"> | null,
): CatalogueVoice | null {
  const engine = row && synthesizer(row);
  return engine && { engine, voice: row.body.voice ?? row.name, row };
}

async function chosenVoice(
  dependencies: VoiceDependencies,
  { organizationId }: VoiceOwner,
  { tts_type: name }: VoiceChoice,
): Promise<CatalogueVoice | null> {
  if (name === undefined) return null;
  return voiceOf(dependencies, await dependencies.store.catalogue.row("tts_type", organizationId, name));
}

/** The voice of a session; null when it named none, or one that is not available. */
export async function sessionVoice(
  dependencies: VoiceDependencies,
  session: SessionRecord,
  request: SessionRequest,
): Promise<SessionVoice | null> {
  return chosenVoice(dependencies, session, request);
}

/** Why no voice can speak a text. */
interface NoVoice {
  unspeakable: string;
}

/**
 * The voice for a text: the session's own, or the first one of the catalogue that speaks the text's language when the session's
 * does not. Null when the session has no voice. `locale`: the language of the conversation, default the session's.
 */
export async function voiceForText(
  dependencies: VoiceDependencies,
  session: VoiceOwner,
  request: VoiceChoice,
  { text, locale = sessionLocale(request) }: { text: string; locale?: string | undefined },
): Promise<SessionVoice | NoVoice | null> {
  const chosen = await chosenVoice(dependencies, session, request);
  const known = chosen ? voiceLanguages(chosen.row) : [];
  const [first] = known;
  if (!chosen || first === undefined) return chosen;
  const written = textLanguage(text, locale ?? first);
  if (speaksLanguage(known, written)) return chosen;
  // Languages of the same letters are told apart by their words.
  const isLatin = textLanguage(text, "en") === "en";
  const language = isLatin ? await spokenLanguage(text, written, known) : written;
  if (speaksLanguage(known, language)) return chosen;
  const rows = await dependencies.store.catalogue.rows("tts_type", session.organizationId);
  for (const row of rows) {
    const other = speaksLanguage(voiceLanguages(row), language) && voiceOf(dependencies, row);
    if (other) return other;
  }
  const unspeakable =
    `The voice ${chosen.row.name} speaks ${known.join(", ")}, the text is in the language ${language}, and no voice of the ` +
    "catalogue speaks it. Add a voice with that language in its voice_extra_data.";
  return { unspeakable };
}
