import * as z from "zod/mini";
import { iceServerSchema } from "./ice.ts";

const named = z.nullish(z.object({ name: z.string() }));

/**
 * The part of a retrieved session that the relay shows to a browser (GET /embed/v1/sessions/{id}): no prompt, tool servers,
 * session descriptions or addresses. Fields that are not listed here are dropped.
 */
export const sessionViewSchema = z.object({
  session_id: z.string(),
  status: z.string(),
  termination_reason: z.nullish(z.string()),
  duration_sec: z.nullish(z.number()),
  created_at: z.string(),
  capability: z._default(z.array(z.object({ name: z.string() })), []),
  padding_left: z.nullish(z.number()),
  padding_top: z.nullish(z.number()),
  padding_height: z.nullish(z.number()),
  ice_servers: z._default(z.array(iceServerSchema), []),
  llm_type: named,
  tts_type: named,
  stt_type: named,
  model_style: named,
});
export type SessionView = z.infer<typeof sessionViewSchema>;
