import * as z from "zod";
import { baseLanguage } from "../../protocol/text-language.ts";
import type { CatalogueRow } from "../store/store.ts";

const declaredSchema = z
  .object({ language: z.union([z.string(), z.array(z.string())]) })
  .transform(({ language }) => [language].flat());

/** The languages that a voice speaks, by its row: BCP 47 tags. Empty: the row does not say, as for voices that speak many. */
export function voiceLanguages({ body }: Pick<CatalogueRow<"tts_type">, "body">): readonly string[] {
  const declared = declaredSchema.safeParse(body.voice_extra_data);
  if (declared.success) return declared.data;
  // eSpeak NG names its voices by their language.
  const espeak = body.model === "espeak-ng" ? /^[a-z]{2,3}(?=$|[-_+])/.exec(body.voice ?? "") : null;
  return espeak ? [espeak[0]] : [];
}

/** Whether a voice of these languages speaks a language. Regions and scripts do not matter. */
export function speaksLanguage(languages: readonly string[], language: string): boolean {
  return languages.some((known) => baseLanguage(known) === baseLanguage(language));
}
