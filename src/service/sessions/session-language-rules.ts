import type { WireError } from "../../protocol/error-body.ts";
import type { SessionRequest } from "../store/store.ts";
import { readAgentSettings } from "./agent-settings.ts";
import { findPrompt } from "./session-references.ts";
import type { NameableStore } from "./session-references.ts";

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
