import * as z from "zod";
import type { AgentConfig } from "../../../protocol/catalogue.ts";
import { toolDefinitionSchema } from "../../../protocol/answers/llm-request.ts";
import type { WireError } from "../../../protocol/schema/error-body.ts";
import type { SessionRequest } from "../../store/store.ts";
import { findPrompt, type NameableStore } from "../life/session-references.ts";

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
type AgentReading = { ok: true; settings: AgentSettings } | { ok: false; field: string };

/** Reads the settings of an agent config. */
export function readAgentSettings({ config }: AgentConfig): AgentReading {
  const parsed = agentSettingsSchema.safeParse(config ?? {});
  if (parsed.success) return { ok: true, settings: parsed.data };
  return { ok: false, field: parsed.error.issues[0]?.path.map(String).join(".") || "config" };
}

async function documentFaults(store: NameableStore, organizationId: string, request: SessionRequest) {
  if (request.prompt === undefined || request.document !== undefined) return [];
  const prompt = await findPrompt(store, organizationId, request.prompt);
  if (!prompt?.require_document) return [];
  const detail = `The prompt "${prompt.name}" requires a document.`;
  return [{ code: "required", detail, attr: "document" }] satisfies WireError[];
}

async function agentFaults(store: NameableStore, organizationId: string, request: SessionRequest) {
  const { agent_config: identifier } = request;
  const config = identifier && (await store.catalogue.find("agent_config", organizationId, identifier));
  if (!config) return [];
  const fault = (code: WireError["code"], detail: string): WireError => ({
    code,
    detail,
    attr: "agent_config",
  });
  const reading = readAgentSettings(config);
  if (!reading.ok) return [fault("invalid", `The agent config's "${reading.field}" cannot be used.`)];
  const { llm_type: llmType, mcp_servers: servers } = reading.settings;
  const missing: string[] = [];
  if (llmType && !(await store.catalogue.find("llm_type", organizationId, llmType))) missing.push(llmType);
  for (const name of servers)
    if (!(await store.catalogue.find("mcp_server", organizationId, name))) missing.push(name);
  return missing.map((name) => fault("does_not_exist", `"${name}" of the agent config does not exist.`));
}

/** Errors in a create request that would break the session's conversation, except identifiers that do not exist. */
export async function languageFaults(
  store: NameableStore,
  organizationId: string,
  request: SessionRequest,
): Promise<WireError[]> {
  return [
    ...(await documentFaults(store, organizationId, request)),
    ...(await agentFaults(store, organizationId, request)),
  ];
}

/** The language of a session's conversation: of its normalization, else of the page that it was made for. BCP 47. */
export function sessionLocale({
  text_normalization_locale,
  extra_data,
}: Pick<SessionRequest, "text_normalization_locale" | "extra_data">): string | undefined {
  const page =
    typeof extra_data === "object" && extra_data !== null && "locale" in extra_data
      ? extra_data.locale
      : null;
  return text_normalization_locale ?? (typeof page === "string" ? page.slice(0, 35) : undefined);
}
