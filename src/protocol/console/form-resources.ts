import * as z from "zod";
import { backgroundImageSchema, modelStyleSchema, ttsTypeSchema } from "../catalogue.ts";

/** Answer of GET …/form-resources/: the objects that a context can use (wire conventions, Embed contexts). */
export const formResourcesSchema = z.object({
  tts_types: z.array(ttsTypeSchema),
  model_styles: z.array(modelStyleSchema),
  background_images: z.array(backgroundImageSchema),
});
export type FormResources = z.infer<typeof formResourcesSchema>;
