import { sentencesOf } from "../reading/sentences.ts";

const maxParts = 3;
const minWords = 2;

const questionWords =
  "how|what|when|where|who|which|can|could|do|does|did|is|are|will|would|should|must|have|has|may|" +
  "wie|was|wann|wo|wer|welche[rsn]?|kann|können|gibt|ist|sind|habt|haben|hat|darf|muss|macht|nehmt|" +
  "cómo|cuándo|dónde|cuánt[oa]s?|qué|quién|puedo|se puede|hay|está|tienen|" +
  "comment|quand|où|combien|quel(?:le)?s?|qui|puis|peut-on|est-ce|est-il|y a-t-il|avez-vous|" +
  "come|quando|dove|quant[oaie]|chi|posso|si può|c'è|avete|onde|como|quem|há|têm";
/** Where a second question begins in a sentence. Korean joins two by the ending of the first one's verb. */
const second = new RegExp(
  `[,;]? (?:and|und|y|et|e) (?=(?:${questionWords})(?!\\p{L}))|(?<=[?？]) |,? 그리고 |(?<=(?:이|있|인지|는지|되)고),? `,
  "iu",
);

/** The questions of a message with several of them; empty for a message with one. */
export function partsOfMessage(text: string): string[] {
  const parts = sentencesOf(text.replace(/\s+/g, " "))
    .flatMap((sentence) => sentence.split(second))
    .map((part) => part.trim())
    .filter((part) => part.split(" ").length >= minWords);
  return parts.length < 2 || parts.length > maxParts ? [] : parts;
}
