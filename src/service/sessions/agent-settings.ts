import * as z from "zod";
import type { AgentConfig } from "../../protocol/catalogue.ts";
import { toolDefinitionSchema } from "../../protocol/llm-stream.ts";

/** What an agent config may change of its sessions' turns; whatever else it holds is the designer's own. */
export const agentSettingsSchema = z.object({
  /** Follows the session's own system prompt. */
  system_prompt: z.string().max(200_000).default(""),
  /** Tools that the client runs, beside those it sends. */
  tools: z.array(toolDefinitionSchema).max(64).default([]),
  /** Tool servers, beside those of the session. */
  mcp_servers: z.array(z.string().min(1)).max(50).default([]),
  /** Goes before the session's own. */
  llm_type: z.string().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
});
export type AgentSettings = z.infer<typeof agentSettingsSchema>;

/** A config's settings, or the path of the field that is none. */
export type AgentReading = { ok: true; settings: AgentSettings } | { ok: false; field: string };

/** Reads what an agent config sets. */
export function readAgentSettings({ config }: AgentConfig): AgentReading {
  const parsed = agentSettingsSchema.safeParse(config ?? {});
  if (parsed.success) return { ok: true, settings: parsed.data };
  return { ok: false, field: parsed.error.issues[0]?.path.map(String).join(".") || "config" };
}
