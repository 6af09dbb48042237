import * as z from "zod/mini";
import type { EmbedConfig } from "./embed-config.ts";

/** What a browser may know of a context's voice, in its public view. */
export const publicVoiceSchema = z.object({
  /** The service recognizes the visitor's speech. */
  recognizer: z.optional(z.boolean()),
  /** The visitor's own browser may. */
  browser: z.optional(z.boolean()),
});
export type PublicVoice = z.infer<typeof publicVoiceSchema>;

/** The value of `embed_config.stt_type` that leaves the choice of the recognizer to the browser. */
export const automaticRecognizer = "auto";

/** The recognizer on the service that an `embed_config` names, if it names one. */
export function recognizerOf({ stt_type: recognizer }: Pick<EmbedConfig, "stt_type">): string | undefined {
  return recognizer === automaticRecognizer ? undefined : recognizer;
}

/** What a public view says about voice. A relay of another version may say nothing. */
export function publicVoiceOf(voice: unknown): PublicVoice {
  return publicVoiceSchema.safeParse(voice).data ?? {};
}
