import type { ToolDefinition } from "../../protocol/llm-stream.ts";
import { Fault } from "../fault.ts";
import type { LanguageModel, ToolServer, Turn } from "../language/language-model.ts";
import type { SessionRecord, SessionRequest } from "../store/store.ts";
import { readAgentSettings } from "./agent-settings.ts";
import type { AgentSettings } from "./agent-settings.ts";
import { countDocumentSearch, readDocument } from "./documents.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { findPrompt } from "./session-references.ts";

/** What the conversation of a session is made from. */
export type LanguageDependencies = Pick<
  SessionDependencies,
  "store" | "files" | "languageModel" | "interactiveAgent"
>;

/** Who answers a session's turns, and what the session itself brings to each. */
export interface SessionLanguage {
  model: LanguageModel;
  turn: Omit<Turn, "messages" | "tools" | "variables" | "signal">;
  /** Tools that the client runs, beside those it sends. */
  tools: readonly ToolDefinition[];
}

function unavailable(what: string): Fault {
  return Fault.server(`The session's ${what} is not available.`);
}

/** What is to become speech, and in which language. */
function manner({ capability, tts_type, text_normalization_locale, extra_data }: SessionRequest) {
  const page =
    typeof extra_data === "object" && extra_data !== null && "locale" in extra_data
      ? extra_data.locale
      : null;
  const locale = text_normalization_locale ?? (typeof page === "string" ? page.slice(0, 35) : undefined);
  return { speaks: tts_type !== undefined || capability.includes("STF_WEBRTC"), locale };
}

async function agentSettings(
  { store }: LanguageDependencies,
  organizationId: string,
  identifier: string | undefined,
): Promise<Partial<AgentSettings>> {
  if (identifier === undefined) return {};
  const config = await store.catalogue.find("agent_config", organizationId, identifier);
  const reading = config && readAgentSettings(config);
  if (!reading?.ok) throw unavailable("agent config");
  return reading.settings;
}

async function toolServers(
  { store }: LanguageDependencies,
  organizationId: string,
  names: readonly string[],
): Promise<ToolServer[]> {
  const rows = await Promise.all(
    names.map((name) => store.catalogue.row("mcp_server", organizationId, name)),
  );
  const servers = new Map(
    rows.flatMap((row) =>
      row ? [[row.id, { ...row.body, trusted: row.engine?.["allow_private"] === true }] as const] : [],
    ),
  );
  return [...servers.values()];
}

/** The tools that change something and that the session may use all the same: all, but for sessions made for visitors. */
async function changingTools(
  { store }: LanguageDependencies,
  { organizationId, contextUuid }: SessionRecord,
): Promise<ReadonlySet<string> | undefined> {
  if (contextUuid === null) return undefined;
  const context = await store.contexts.byUuid(organizationId, contextUuid);
  return new Set(context?.embed_config.mcp_tools);
}

/** The document that the owner gave to the session's embed context, whose UUID may stand for the prompt. */
async function contextDocument(
  { store }: LanguageDependencies,
  { organizationId, contextUuid }: SessionRecord,
  prompt: string,
): Promise<string | undefined> {
  const context = await store.contexts.byUuid(organizationId, contextUuid ?? prompt.toLowerCase());
  return context?.embed_config.document;
}

async function documents(
  dependencies: LanguageDependencies,
  organizationId: string,
  identifier: string | undefined,
): Promise<string[]> {
  if (identifier === undefined) return [];
  // One that was removed since is missing, and the conversation goes on without it.
  const document = await readDocument(dependencies, organizationId, identifier);
  if (document === null) return [];
  await countDocumentSearch(dependencies.store, organizationId, document.id);
  return [document.text];
}

async function agentLanguage(
  { store, interactiveAgent }: LanguageDependencies,
  { id, organizationId }: SessionRecord,
  request: SessionRequest,
  identifier: string,
): Promise<SessionLanguage> {
  const row = await store.catalogue.row("interactive_agent_config", organizationId, identifier);
  const model = row && interactiveAgent(row);
  if (!model) throw unavailable("interactive agent");
  return { model, turn: { systemPrompt: "", sessionId: id, ...manner(request) }, tools: [] };
}

/** The language model that a session asks for, its agent config's before its own; null when it has none. */
export async function sessionModel(
  dependencies: LanguageDependencies,
  organizationId: string,
  request: SessionRequest,
): Promise<LanguageModel | null> {
  const agent = await agentSettings(dependencies, organizationId, request.agent_config);
  const llmType = agent.llm_type ?? request.llm_type;
  const row = llmType && (await dependencies.store.catalogue.row("llm_type", organizationId, llmType));
  return row ? dependencies.languageModel(row) : null;
}

async function modelLanguage(
  dependencies: LanguageDependencies,
  session: SessionRecord,
  request: SessionRequest,
  promptIdentifier: string,
): Promise<SessionLanguage> {
  const { id, organizationId } = session;
  const agent = await agentSettings(dependencies, organizationId, request.agent_config);
  const prompt = await findPrompt(dependencies.store, organizationId, promptIdentifier);
  const model = await sessionModel(dependencies, organizationId, request);
  if (!prompt || !model) throw unavailable("language model");
  const servers = [...(request.mcp_servers ?? []), ...(agent.mcp_servers ?? [])];
  const document = request.document ?? (await contextDocument(dependencies, session, promptIdentifier));
  const turn = {
    systemPrompt: [prompt.system_prompt, agent.system_prompt].filter(Boolean).join("\n\n"),
    sessionId: id,
    documents: await documents(dependencies, organizationId, document),
    mcpServers: await toolServers(dependencies, organizationId, servers),
    changingTools: await changingTools(dependencies, session),
    temperature: agent.temperature,
    ...manner(request),
  };
  return { model, turn, tools: agent.tools ?? [] };
}

/** Finds who answers a session's turns. Throws a Fault where the session has nobody, or nobody any more. */
export async function sessionLanguage(
  dependencies: LanguageDependencies,
  session: SessionRecord,
): Promise<SessionLanguage> {
  const request = (await dependencies.store.sessions.detail(session.id))?.request;
  if (request?.interactive_agent_config !== undefined)
    return agentLanguage(dependencies, session, request, request.interactive_agent_config);
  if (request?.llm_type === undefined || request.prompt === undefined)
    throw Fault.invalid("invalid", "This session was created without an llm_type and a prompt.");
  return modelLanguage(dependencies, session, request, request.prompt);
}
