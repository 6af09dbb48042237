import * as z from "zod";
import { contextSettingsSchema } from "../settings/embed-context.ts";

/** How the embed key of a preview begins. */
export const previewPrefix = "preview_";

/** Body of PUT …/contexts/{id}/preview/: settings as the form has them, which nobody has saved. */
export const contextPreviewPutSchema = z.object({ settings: contextSettingsSchema });

/** Its answer: an embed key that only the relay's own pages may use. Each change gets another one. */
export const contextPreviewSchema = z.object({ context_id: z.string(), expires_at: z.string() });
export type ContextPreview = z.infer<typeof contextPreviewSchema>;

/** The longest text that a voice sample may have, in characters. */
export const voiceSampleMaxLength = 200;

/** Body of POST /api/console/voice-sample/ and POST /api/console/speech-sample/. `rate` and `pitch` as in `embed_config.voice`. */
export const voiceSampleSchema = z.object({
  tts_type: z.string().min(1).max(255),
  text: z.string().min(1).max(voiceSampleMaxLength),
  rate: z.number().min(0.5).max(2).optional(),
  pitch: z.number().min(0.5).max(2).optional(),
});
