import * as z from "zod";
import type { AgentConfig } from "../../protocol/catalogue.ts";
import { toolDefinitionSchema } from "../../protocol/llm-request.ts";

/** The settings of an agent config that change its sessions' turns. All other fields of the config are free for its author. */
export const agentSettingsSchema = z.object({
  /** Follows the session's own system prompt. */
  system_prompt: z.string().max(200_000).default(""),
  /** Tools that the client runs, in addition to those it sends with a turn. */
  tools: z.array(toolDefinitionSchema).max(64).default([]),
  /** Tool servers, in addition to those of the session. */
  mcp_servers: z.array(z.string().min(1)).max(50).default([]),
  /** Replaces the language model of the session. */
  llm_type: z.string().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  /** Whether the language model may set the avatar's mood and expression. Default: yes. */
  expressions: z.boolean().optional(),
});
export type AgentSettings = z.infer<typeof agentSettingsSchema>;

/** The settings of a config, or the path of the invalid field. */
export type AgentReading = { ok: true; settings: AgentSettings } | { ok: false; field: string };

/** Reads the settings of an agent config. */
export function readAgentSettings({ config }: AgentConfig): AgentReading {
  const parsed = agentSettingsSchema.safeParse(config ?? {});
  if (parsed.success) return { ok: true, settings: parsed.data };
  return { ok: false, field: parsed.error.issues[0]?.path.map(String).join(".") || "config" };
}
