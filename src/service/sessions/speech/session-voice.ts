import { baseLanguage, textLanguage } from "../../../protocol/answers/text-language.ts";
import * as z from "zod";
import type { CatalogueRow, SessionRecord, SessionRequest } from "../../store/store.ts";
import type { SpeechSynthesizer } from "../../speech/speech-synthesizer.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import { sessionLocale } from "../answers/session-language-rules.ts";

/** ISO 639-3 codes, which the detector uses, of the languages in Latin letters that voices commonly speak. */
const detectorCodes: Readonly<Record<string, string>> = {
  cs: "ces",
  da: "dan",
  de: "deu",
  en: "eng",
  es: "spa",
  fi: "fin",
  fr: "fra",
  hu: "hun",
  id: "ind",
  it: "ita",
  nl: "nld",
  no: "nob",
  pl: "pol",
  pt: "por",
  ro: "ron",
  sv: "swe",
  tr: "tur",
  vi: "vie",
};

/** Shorter texts are mostly names and numbers, which every voice can speak. */
const judgedFromLength = 12;

/**
 * The language of a text in Latin letters: the conversation's, unless it reads like one that the voice speaks, as a text does
 * that the owner has written in another language. Base languages, or BCP 47 tags that are returned as they are.
 */
async function spokenLanguage(text: string, conversation: string, voice: readonly string[]): Promise<string> {
  const own = detectorCodes[baseLanguage(conversation)];
  const [fallback = conversation] = voice;
  if (own === undefined || text.length < judgedFromLength) return fallback;
  const others = voice.flatMap((tag) => detectorCodes[baseLanguage(tag)] ?? []);
  const { franc } = await import("franc-min");
  return franc(text, { only: [own, ...others], minLength: judgedFromLength }) === own
    ? conversation
    : fallback;
}

const declaredSchema = z
  .object({ language: z.union([z.string(), z.array(z.string())]) })
  .transform(({ language }) => [language].flat());

/** The languages that a voice speaks, by its row: BCP 47 tags. Empty: the row does not say, as for voices that speak many. */
function voiceLanguages({ body }: Pick<CatalogueRow<"tts_type">, "body">): readonly string[] {
  const declared = declaredSchema.safeParse(body.voice_extra_data);
  if (declared.success) return declared.data;
  // eSpeak NG names its voices by their language.
  const espeak = body.model === "espeak-ng" ? /^[a-z]{2,3}(?=$|[-_+])/.exec(body.voice ?? "") : null;
  return espeak ? [espeak[0]] : [];
}

/** Whether a voice of these languages speaks a language. Regions and scripts do not matter. */
function speaksLanguage(languages: readonly string[], language: string): boolean {
  return languages.some((known) => baseLanguage(known) === baseLanguage(language));
}

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
