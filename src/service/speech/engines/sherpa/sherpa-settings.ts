import * as z from "zod";
import { modelLocaleSchema, timeoutSecSchema } from "../../speech-engine.ts";

/** The settings of a model of sherpa-onnx. */
export const sherpaSettingsSchema = z.object({
  type: z.literal("sherpa-onnx"),
  /** sherpa-onnx's own configuration, passed on unchanged. It contains the paths of the model's files. */
  config: z.record(z.string(), z.unknown()),
  /** For recognition: whether the model recognizes speech while it is spoken (`OnlineRecognizer` instead of `OfflineRecognizer`). */
  streaming: z.boolean().default(false),
  speaker: z.int().min(0).default(0),
  speed: z.number().positive().max(4).default(1),
  /** Also applies to the first request, which loads the model. */
  timeout_sec: timeoutSecSchema,
  locale: modelLocaleSchema,
});

/** How to run a model of sherpa-onnx. */
export type SherpaSettings = z.infer<typeof sherpaSettingsSchema>;
