import { baseLanguage } from "../../protocol/text-language.ts";

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
export async function spokenLanguage(
  text: string,
  conversation: string,
  voice: readonly string[],
): Promise<string> {
  const own = detectorCodes[baseLanguage(conversation)];
  const [fallback = conversation] = voice;
  if (own === undefined || text.length < judgedFromLength) return fallback;
  const others = voice.flatMap((tag) => detectorCodes[baseLanguage(tag)] ?? []);
  const { franc } = await import("franc-min");
  return franc(text, { only: [own, ...others], minLength: judgedFromLength }) === own
    ? conversation
    : fallback;
}
