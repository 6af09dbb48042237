import * as z from "zod/mini";
import { capabilityNames } from "../protocol/catalogue.ts";
import { iceServerSchema } from "../protocol/ice.ts";
import { RelayError } from "./relay-error.ts";

const named = z.nullish(z.object({ name: z.string() }));

/** What of a retrieved session a browser may read: no prompt, tool servers, session descriptions or addresses. */
const viewSchema = z.object({
  session_id: z.string(),
  status: z.string(),
  termination_reason: z.nullish(z.string()),
  duration_sec: z.nullish(z.number()),
  created_at: z.string(),
  capability: z._default(z.array(z.object({ name: z.enum(capabilityNames) })), []),
  padding_left: z.nullish(z.number()),
  padding_top: z.nullish(z.number()),
  padding_height: z.nullish(z.number()),
  ice_servers: z._default(z.array(iceServerSchema), []),
  llm_type: named,
  tts_type: named,
  stt_type: named,
  model_style: named,
});
export type RetrievedView = z.infer<typeof viewSchema>;

/**
 * The visible part of a session as the service retrieves it.
 *
 * @throws RelayError engine_failed when it is no session.
 */
export function retrievedView(session: unknown): RetrievedView {
  const parsed = viewSchema.safeParse(session);
  if (parsed.success) return parsed.data;
  throw RelayError.engineFailed(502, "The avatar service describes the session wrongly.", parsed.error);
}
