import { setImmediate } from "node:timers/promises";
import type { ToolDefinition } from "../../../protocol/answers/llm-request.ts";
import { errorMessage } from "../../faults/error-message.ts";
import { Fault, LimitExceeded } from "../../faults/fault.ts";
import type { LanguageModel, ToolServer, Turn } from "../../language/language-model.ts";
import type { SessionRecord, SessionRequest } from "../../store/store.ts";
import { toolServerOf } from "../../engines/engine.ts";
import { countedModel, modelAtLimit } from "./model-use.ts";
import { type AgentSettings, readAgentSettings, sessionLocale } from "./session-language-rules.ts";
import { countDocumentSearch, readDocument, type StoredText, withOrigin } from "../documents.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import { personFacts } from "../person/person-desk.ts";
import { findPrompt } from "../life/session-references.ts";

/** Dependencies of a session's conversation. */
export type LanguageDependencies = Pick<
  SessionDependencies,
  "store" | "files" | "languageModel" | "interactiveAgent" | "clock" | "log"
>;

/** The language model that answers a session's turns, and what the session adds to each turn. */
export interface SessionLanguage {
  model: LanguageModel;
  turn: Omit<Turn, "messages" | "tools" | "variables" | "signal">;
  /** Tools that the client runs, in addition to those it sends with a turn. */
  tools: readonly ToolDefinition[];
  /** Whether an answer may change something: its model calls tools of servers, or belongs to somebody else. */
  acts: boolean;
  /** Counts one search of each document that the turn uses. */
  noteSearches(): Promise<void>;
}

function unavailable(what: string): Fault {
  return Fault.server(`The session's ${what} is not available.`);
}

/** How the answer is spoken: whether it becomes speech, and in which language. */
function speechManner(request: SessionRequest) {
  const { capability, tts_type } = request;
  return {
    speaks: tts_type !== undefined || capability.includes("STF_WEBRTC"),
    locale: sessionLocale(request),
  };
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
  const servers = new Map(rows.flatMap((row) => (row ? [[row.id, toolServerOf(row)] as const] : [])));
  return [...servers.values()];
}

/** Whether the session shows a face whose mood the model may set; owners may say no. */
async function hasFace(
  { store }: LanguageDependencies,
  { organizationId, contextUuid }: SessionRecord,
  { capability }: SessionRequest,
  agent: Partial<AgentSettings>,
): Promise<boolean> {
  if (!capability.includes("STF_WEBRTC") || agent.expressions === false) return false;
  const context = contextUuid === null ? null : await store.contexts.byUuid(organizationId, contextUuid);
  return context?.config.expressions !== false;
}

/** The tools that change something and that the session may still use: all of them, except in sessions made for visitors. */
async function changingTools(
  { store }: LanguageDependencies,
  { organizationId, contextUuid }: SessionRecord,
): Promise<ReadonlySet<string> | undefined> {
  if (contextUuid === null) return undefined;
  const context = await store.contexts.byUuid(organizationId, contextUuid);
  return new Set(context?.config.mcp_tools);
}

/** How the avatar of a session's context is called, the time zone of its site, and whether its answers name their sources. */
async function contextManner(
  { store }: LanguageDependencies,
  { organizationId, contextUuid }: SessionRecord,
): Promise<Pick<Turn, "avatarName" | "timeZone" | "namesSources">> {
  const context = contextUuid === null ? null : await store.contexts.byUuid(organizationId, contextUuid);
  const { ui, time_zone, sources = true } = context?.config ?? {};
  return { avatarName: ui?.avatar_name, timeZone: time_zone, namesSources: sources };
}

/** The documents of a session: its own, and those of its embed context. The context's UUID can be used as the prompt. */
async function sessionDocuments(
  { store }: LanguageDependencies,
  { organizationId, contextUuid }: SessionRecord,
  request: SessionRequest,
  prompt: string,
): Promise<string[]> {
  const context = await store.contexts.byUuid(organizationId, contextUuid ?? prompt.toLowerCase());
  const { document: documentId, documents = [] } = context?.config ?? {};
  const named = [request.document ?? documentId, ...documents];
  return [...new Set(named.filter((identifier) => identifier !== undefined))];
}

/** The documents that are still there. One that was removed since is left out, and the conversation continues without it. */
async function foundDocuments(
  dependencies: LanguageDependencies,
  organizationId: string,
  identifiers: readonly string[],
): Promise<StoredText[]> {
  const found: StoredText[] = [];
  for (const identifier of identifiers) {
    const read = await readDocument(dependencies, organizationId, identifier);
    if (read) found.push(read);
  }
  return found;
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
  return {
    model,
    turn: { systemPrompt: "", sessionId: id, ...speechManner(request) },
    tools: [],
    acts: true,
    noteSearches: () => Promise.resolve(),
  };
}

/** The language model of a session: the one of its agent config, else its own; null when it has none. Its use is counted. */
export async function sessionModel(
  dependencies: LanguageDependencies,
  session: Pick<SessionRecord, "organizationId" | "contextUuid">,
  request: SessionRequest,
): Promise<LanguageModel | null> {
  const { organizationId } = session;
  const agent = await agentSettings(dependencies, organizationId, request.agent_config);
  const llmType = agent.llm_type ?? request.llm_type;
  if (llmType === undefined) return null;
  const row = await dependencies.store.catalogue.row("llm_type", organizationId, llmType);
  const model = row && dependencies.languageModel(row);
  return model && countedModel(dependencies, session, row, model);
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
  const own = await sessionModel(dependencies, session, request);
  if (!prompt || !own) throw unavailable("language model");
  const model = (own.quotesOnly ? null : await modelAtLimit(dependencies, session)) ?? own;
  const servers = [...(request.mcp_servers ?? []), ...(agent.mcp_servers ?? [])];
  const named = await sessionDocuments(dependencies, session, request, promptIdentifier);
  const manner = await contextManner(dependencies, session);
  const found = await foundDocuments(dependencies, organizationId, named);
  const documents =
    model.quotesOnly && manner.namesSources
      ? await Promise.all(found.map((read) => withOrigin(dependencies.store, organizationId, read)))
      : found;
  const facts = model.quotesOnly ? "" : await personFacts(dependencies, session);
  const turn = {
    systemPrompt: [prompt.system_prompt, agent.system_prompt, facts].filter(Boolean).join("\n\n"),
    sessionId: id,
    documents,
    ...manner,
    mcpServers: await toolServers(dependencies, organizationId, servers),
    changingTools: await changingTools(dependencies, session),
    temperature: agent.temperature,
    hasFace: await hasFace(dependencies, session, request, agent),
    reportsMissing: session.contextUuid !== null,
    ...speechManner(request),
  };
  return {
    model,
    turn,
    tools: agent.tools ?? [],
    acts: servers.length > 0,
    async noteSearches() {
      for (const searched of documents)
        await countDocumentSearch(dependencies.store, organizationId, searched.id);
    },
  };
}

/** Finds the language model for a session's turns. Throws a Fault when the session has none, or no longer has one. */
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

/** Begins what the first answer of a session from its documents would wait for: their index, and the thread that reads questions. */
export async function prepareAnswers(dependencies: LanguageDependencies, sessionId: string): Promise<void> {
  try {
    // The request that created the session must not wait.
    await setImmediate();
    const { sessions } = dependencies.store;
    const [session, detail] = [await sessions.byId(sessionId), await sessions.detail(sessionId)];
    if (!session || detail?.request.llm_type === undefined || detail.request.prompt === undefined) return;
    const { model, turn } = await modelLanguage(dependencies, session, detail.request, detail.request.prompt);
    await model.prepare?.(turn);
  } catch (error) {
    // Whoever asks gets the same error. A limit that is reached is no fault of ours.
    if (!(error instanceof LimitExceeded))
      dependencies.log.warn("a session's answers were not prepared", { error: errorMessage(error) });
  }
}
