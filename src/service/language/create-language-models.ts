import { encodeMessages } from "../knowledge/answering/answer-question.ts";
import { matchingPassages } from "../knowledge/answering/matching-passages.ts";
import { asRead } from "../knowledge/matching/question.ts";
import { dayTodayIn } from "../knowledge/words/weekdays.ts";
import { keepUnitIndexes, type UnitIndexes } from "../knowledge/matching/unit-index.ts";
import type { LanguageModel, ToolServer, Turn } from "./language-model.ts";
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { GuardedFetch } from "../outbound/guarded-fetch.ts";
import type { OutboundCalls } from "../outbound/outbound-calls.ts";
import type { Logger } from "../../logging/logger.ts";
import type { CatalogueRow } from "../store/store.ts";
import type { LanguageEngine } from "./language-engine.ts";
import { agentEngine, languageEngine } from "./language-engines.ts";
import { createMcpConnections } from "./mcp/mcp-connections.ts";
import { withMcpTools } from "./mcp/mcp-toolbox.ts";
import { spokenEvents } from "./streaming/spoken-stream.ts";

/** How much of documents goes into a system prompt, in characters. Shorter documents are included completely. */
const givenMaxCharacters = 6_000;

type Documents = NonNullable<Turn["documents"]>;

/** The whole texts; null where they are too long for a system prompt. */
function wholeTexts(documents: Documents): string[] | null {
  const whole = documents
    .map(({ title, text }) => [title, text.trim()].filter((part) => part !== "").join("\n\n"))
    .filter((text) => text !== "");
  return whole.join("\n\n").length <= givenMaxCharacters ? whole : null;
}

/** What a model gets of the turn's documents: everything if it fits, else the passages that match its question. */
async function givenTexts(
  { documents = [], messages, timeZone }: Pick<Turn, "documents" | "messages" | "timeZone">,
  indexOf: UnitIndexes,
): Promise<string[]> {
  const whole = wholeTexts(documents);
  if (whole) return whole;
  const index = await indexOf(documents);
  const read = asRead(messages);
  const asking = { dayToday: dayTodayIn(timeZone), vectors: await encodeMessages(read, index) };
  return matchingPassages(read, index, givenMaxCharacters, asking);
}

/** A model whose system prompt also contains what the turn's documents say about the visitor's question. */
export function withDocuments(model: LanguageModel, indexOf: UnitIndexes): LanguageModel {
  return {
    async prepare({ documents = [] }) {
      if (!wholeTexts(documents)) await indexOf(documents);
    },
    async *answer(turn) {
      const given = await givenTexts(turn, indexOf);
      const note = ["Passages from the documents you were given:", ...given].join("\n\n");
      const systemPrompt = given.length > 0 ? `${turn.systemPrompt}\n\n${note}` : turn.systemPrompt;
      yield* model.answer({ ...turn, systemPrompt });
    },
  };
}

/** Dependencies of language models. */
interface LanguageModelDependencies {
  log: Logger;
  outbound: OutboundCalls;
  /** Where `api_key_env` is looked up. Default: the environment of the process. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** The indexes of documents. Default: by their words alone. */
  indexOf?: UnitIndexes | undefined;
}

/** The language models of catalogue rows. */
export interface LanguageModels {
  /** The model of an LLM type; null when its settings are invalid or something is missing. Throws UnknownEngineError. */
  model(row: CatalogueRow<"llm_type">): LanguageModel | null;
  /** The agent of an interactive agent config; null and errors as for a model. */
  agent(row: CatalogueRow<"interactive_agent_config">): LanguageModel | null;
  /** The names of a tool server's tools. Rejects when it cannot be reached. */
  tools(server: ToolServer): Promise<readonly string[]>;
  /** Closes connections to tool servers. */
  close(): Promise<void>;
}

/** Answers have limits of their own, and a stream of tool results may stay open as long as its connection. */
const streamLimits = { timeoutMs: 15 * 60_000, maxBytes: 64 * 1024 * 1024 };

/** A call whose answer is a stream. */
const streaming =
  (fetch: GuardedFetch): FetchLike =>
  (url, init) =>
    fetch(url, { ...init, ...streamLimits });

/** Splits answers that will be spoken at natural boundaries. */
function spoken(model: LanguageModel): LanguageModel {
  return {
    ...model,
    answer: (turn) => (turn.speaks ? spokenEvents(model.answer(turn)) : model.answer(turn)),
  };
}

/** Creates the language models of catalogue rows. */
export function createLanguageModels(dependencies: LanguageModelDependencies): LanguageModels {
  const { log, outbound, environment = process.env, indexOf = keepUnitIndexes() } = dependencies;
  const connections = createMcpConnections((server) =>
    streaming(server.trusted ? outbound.engine(server) : outbound.address(server)),
  );
  const common = { log, environment, indexOf };
  const builtIn = new Map<string, LanguageModel | null>();

  function create(engine: LanguageEngine, row: CatalogueRow<"llm_type" | "interactive_agent_config">) {
    const { body, engine: given } = row;
    const known = builtIn.get(engine.kind);
    if (known !== undefined) return known;
    const parsed = engine.settingsSchema.safeParse(engine.isBuiltIn ? {} : (given ?? {}));
    const context = {
      ...common,
      fetch: streaming(outbound.engine(row)),
      guardedFetch: outbound.address(row),
    };
    const model = parsed.success ? engine.create({ body, settings: parsed.data }, context) : null;
    if (engine.isBuiltIn) builtIn.set(engine.kind, model);
    return model;
  }

  return {
    model(row) {
      const model = create(languageEngine(row.body, row.engine), row);
      if (!model || model.quotesOnly) return model;
      return {
        ...spoken(withDocuments(withMcpTools(model, connections, log), common.indexOf)),
        takesAttachments: model.takesAttachments,
      };
    },
    agent(row) {
      const agent = create(agentEngine(row.engine), row);
      return agent && spoken(agent);
    },
    tools: async (server) => (await connections.tools(server)).map(({ name }) => name),
    close: () => connections.close(),
  };
}
