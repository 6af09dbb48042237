import * as z from "zod";
import { headerValueSchema } from "../../../header-value.ts";
import { defaultEngineLimits } from "../../streaming/engine-stream.ts";

const seconds = z.number().positive().max(600);

/** The private settings of an interactive agent config (docs/agents.md). */
export const interactiveAgentSettingsSchema = z.object({
  type: z.literal("interactive-agent").optional(),
  url: z.url({
    protocol: /^https?$/,
    error: "Set the https address that takes the turns, such as https://agent.example/turns.",
  }),
  auth_header: headerValueSchema.optional(),
  /** Allows an address with http or in a private network. */
  allow_private: z.boolean().default(false),
  first_byte_sec: seconds.default(defaultEngineLimits.firstByteMs / 1000),
  idle_sec: seconds.default(defaultEngineLimits.idleMs / 1000),
});

/** How to call an agent server. */
export type InteractiveAgentSettings = z.infer<typeof interactiveAgentSettingsSchema>;
