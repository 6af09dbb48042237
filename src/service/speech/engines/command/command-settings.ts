import * as z from "zod";
import { modelLocaleSchema, timeoutSecSchema } from "../../speech-engine.ts";

/** The settings of a recognition program. */
export const commandSettingsSchema = z.object({
  type: z.literal("command"),
  /** The program and its arguments; `{wav}` and `{language}` are replaced. */
  command: z.array(z.string().min(1)).min(1).max(100),
  /** The sample rate of the WAV file that the program gets. */
  sample_rate_hz: z.int().min(8_000).max(48_000).default(16_000),
  timeout_sec: timeoutSecSchema,
  locale: modelLocaleSchema,
});

/** How to run a recognition program. */
export type CommandSettings = z.infer<typeof commandSettingsSchema>;
