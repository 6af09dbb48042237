import * as z from "zod";
import { embedContextSchema } from "./embed-context.ts";
import { backgroundImageSchema, modelStyleSchema, ttsTypeSchema } from "./catalogue.ts";

/** Body of POST /api/console/login/. */
export const loginSchema = z.object({ password: z.string().min(1).max(1_024) });

/** Who is logged in to the console, and until when. */
export const consoleSessionSchema = z.object({
  organization: z.object({ id: z.string(), name: z.string() }),
  expires_at: z.string(),
});
export type ConsoleSession = z.infer<typeof consoleSessionSchema>;

/** Query of GET …/contexts/. */
export const contextsQuerySchema = z.object({ context_id: z.string().max(255).optional() });

/** Answer of GET …/contexts/. */
export const embedContextListSchema = z.array(embedContextSchema);

/** Answer of GET …/form-resources/: what a context may be made of (wire conventions, Embed contexts). */
export const formResourcesSchema = z.object({
  tts_types: z.array(ttsTypeSchema),
  model_styles: z.array(modelStyleSchema),
  background_images: z.array(backgroundImageSchema),
});
export type FormResources = z.infer<typeof formResourcesSchema>;
