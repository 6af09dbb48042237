import * as z from "zod";
import { headerValueSchema } from "../header-value.ts";
import { defaultEngineLimits } from "./engine-stream.ts";

const seconds = z.number().positive().max(600);

/** An interactive agent config's private settings (docs/agents.md). */
export const interactiveAgentSettingsSchema = z.object({
  url: z.url({
    protocol: /^https?$/,
    error: "Set the https address that takes the turns, such as https://agent.example/turns.",
  }),
  auth_header: headerValueSchema.optional(),
  /** The operator vouches for the address, which may then be a private one. */
  allow_private: z.boolean().default(false),
  first_byte_sec: seconds.default(defaultEngineLimits.firstByteMs / 1000),
  idle_sec: seconds.default(defaultEngineLimits.idleMs / 1000),
});
