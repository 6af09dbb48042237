import { LRUCache } from "lru-cache";
import type { ToolDefinition } from "../../../../protocol/answers/llm-request.ts";
import type { LlmStreamEvent } from "../../../../protocol/answers/llm-stream.ts";
import type { Logger } from "../../../../logging/logger.ts";
import { AnswerText, type ReadText, type TextHabits } from "./answer-text.ts";
import { readChatChunk, type ChatChunk, type Finish } from "./chat-chunk.ts";
import { chatMessages } from "./chat-messages.ts";
import type { ChatSettings } from "./chat-settings.ts";
import { RefusedFields, type ChatBody } from "./optional-fields.ts";
import { ToolCallAssembly, type AssembledCall } from "./tool-calls.ts";
import { EngineError } from "../../streaming/engine-error.ts";
import { askEngine, type EngineFetch } from "../../streaming/engine-stream.ts";
import type { EnginePayload } from "../../streaming/event-payloads.ts";
import type { LanguageModel, TokenUse, Turn } from "../../language-model.ts";

/** How long to wait for the stream's end after the last words, so that the connection can be reused. */
const restMs = 500;

/** Much longer than any useful answer. */
const answerMaxCharacters = 262_144;

/** How many calls' vendor fields are kept for the turns that bring the calls' results. */
const keptCalls = 5_000;

/** A request is sent again so often without a field that the server has refused. */
const maxRefusals = 4;

/** Dependencies of a chat model. */
export interface ChatModelDependencies {
  fetch: EngineFetch;
  log: Logger;
}

/** What is known about a model's server from its answers. */
interface Habits {
  text: TextHabits;
  refused: RefusedFields;
  vendor: LRUCache<string, AssembledCall["vendor"]>;
}

function toolFields({ tools, withoutTools }: Turn): { tools?: ToolDefinition[]; tool_choice?: "none" } {
  if (tools.length === 0) return {};
  return { tools, ...(withoutTools && { tool_choice: "none" }) };
}

function requestBody(
  { model, temperature, extraBody }: ChatSettings,
  turn: Turn,
  { vendor }: Habits,
): ChatBody {
  const warmth = turn.temperature ?? temperature;
  return {
    // The last chunk then says how many tokens were used.
    stream_options: { include_usage: true },
    ...extraBody,
    model,
    messages: chatMessages(turn, (id) => vendor.get(id)),
    stream: true,
    ...(warmth !== undefined && { temperature: warmth }),
    ...toolFields(turn),
  };
}

/** Whether a model's name says that it thinks before it answers. */
const thinks = (name: string): boolean =>
  /(?:^|[^a-z])(?:r1|qwq|think(?:ing)?|reason(?:er|ing)?)(?![a-z])/i.test(name);

/** Text that breaks off within a sentence was cut by something other than the model. */
const isWhole = (text: string): boolean => /[.!?…。！？:)\]}"'”’»`*|>-]\s*$/u.test(text);

/** One answer while it arrives. */
class ArrivingAnswer {
  readonly #turn: Turn;
  readonly #habits: Habits;
  readonly #text: AnswerText;
  readonly #assembly = new ToolCallAssembly();
  #said = "";
  #length = 0;
  finish: Finish | null = null;
  use: TokenUse | null = null;

  constructor(turn: Turn, habits: Habits, model: string) {
    this.#turn = turn;
    this.#habits = habits;
    this.#text = new AnswerText(habits.text, { mayThink: thinks(model), mayCall: turn.tools.length > 0 });
  }

  /** Reads chunks that arrived together; returns the texts that they show. */
  add(chunks: readonly ChatChunk[]): string[] {
    let texts: string[] = [];
    for (const { text, calls, finish, use, hasThoughts } of chunks) {
      this.use = use ?? this.use;
      for (const part of calls) this.#assembly.add(part);
      if (hasThoughts) this.#text.hasThoughtsApart();
      this.finish ??= finish;
      this.#length += text.length;
      if (this.#length > answerMaxCharacters) throw new EngineError("not_understood");
      const read = this.#text.add(text);
      texts = [...(read.wereThoughts ? [] : texts), this.#read(read)];
    }
    return texts.filter(Boolean);
  }

  /** The text that was held back, at the answer's end. */
  end(): string[] {
    return [this.#read(this.#text.end())].filter(Boolean);
  }

  /** The calls of the answer. Throws EngineError where the answer is not complete. */
  complete(): AssembledCall[] {
    const calls = this.#assembly.calls(this.#turn.tools);
    const isEmpty = this.#said.trim() === "" && calls.length === 0;
    if (this.finish === "filtered") throw new EngineError("filtered");
    if (this.finish === "cut_off") throw new EngineError(isEmpty ? "no_answer" : "cut_off");
    if (this.finish === null && !isWhole(this.#said) && (calls.length === 0 || this.#said !== ""))
      throw new EngineError(isEmpty ? "not_understood" : "broken_off");
    if (isEmpty) throw new EngineError("no_answer");
    for (const { call, vendor } of calls) this.#habits.vendor.set(call.id, vendor);
    return calls;
  }

  #read({ text, calls }: ReadText): string {
    for (const part of calls) this.#assembly.add({ ...part, index: null });
    this.#said += text;
    return text;
  }
}

const message = (content: string): LlmStreamEvent => ({
  status: "success",
  type: "message",
  role: "assistant",
  content,
});

/** The chunks that arrived together, up to the first error. */
function readTogether(arrived: readonly EnginePayload[]): { chunks: ChatChunk[]; error: EngineError | null } {
  const chunks: ChatChunk[] = [];
  try {
    for (const payload of arrived) {
      const chunk = readChatChunk(payload);
      if (chunk) chunks.push(chunk);
    }
    return { chunks, error: null };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { chunks, error };
  }
}

async function* completion(
  settings: ChatSettings,
  body: ChatBody,
  turn: Turn,
  { fetch, habits }: { fetch: EngineFetch; habits: Habits },
): AsyncGenerator<LlmStreamEvent> {
  const { url, headers, limits, model } = settings;
  const answer = askEngine({ fetch, url, headers, body, limits, signal: turn.signal });
  const arriving = new ArrivingAnswer(turn, habits, model);
  try {
    for await (const arrived of answer.payloads) {
      const hadFinished = arriving.finish !== null;
      const { chunks, error } = readTogether(arrived);
      for (const text of arriving.add(chunks)) yield message(text);
      if (error) throw error;
      if (arriving.finish !== null && !hadFinished) answer.limitRest(restMs);
    }
  } catch (error) {
    if (arriving.finish === null) throw error;
  } finally {
    // An answer that was stopped or broken off has its price too.
    if (arriving.use !== null) turn.onUse?.(arriving.use);
  }
  if (turn.signal?.aborted) return;
  for (const text of arriving.end()) yield message(text);
  const calls = arriving.complete().map(({ call }) => call);
  if (calls.length > 0)
    yield { status: "success", type: "tool_call", role: "assistant", content: "", tool_calls: calls };
}

/**
 * A language model with the chat completions protocol, streamed (OpenAI API reference, Create chat completion), from servers that keep
 * to it more or less. After a failure, the text so far is kept, and an error event with a plain reason ends the stream.
 */
export function createChatModel(
  settings: ChatSettings,
  { fetch, log }: ChatModelDependencies,
): LanguageModel {
  const habits: Habits = {
    text: { beginsInThoughts: null },
    refused: new RefusedFields(),
    vendor: new LRUCache({ max: keptCalls }),
  };
  const { host } = new URL(settings.url);
  const additional = Object.keys(settings.extraBody);

  /** Whether the request may be sent again without something that the server has refused. */
  function mayRepeat(error: unknown, body: ChatBody): boolean {
    if (!(error instanceof EngineError) || (error.status !== 400 && error.status !== 422)) return false;
    const refused = habits.refused.note(body, additional, error.says);
    if (refused === null) return false;
    log.warn("language model refused a field", { host, field: refused, detail: error.says });
    return true;
  }

  async function* answer(turn: Turn): AsyncGenerator<LlmStreamEvent> {
    const whole = requestBody(settings, turn, habits);
    for (let refusals = 0; ; refusals++) {
      const body = habits.refused.accepted(whole);
      try {
        yield* completion(settings, body, turn, { fetch, habits });
        return;
      } catch (error) {
        if (refusals === maxRefusals || !mayRepeat(error, body)) throw error;
      }
    }
  }

  return {
    async *answer(turn) {
      try {
        yield* answer(turn);
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        const { code, status, says } = error;
        log.warn("language model fault", { host, code, status, detail: says });
        turn.onFault?.(error);
        yield { status: "error", reason: error.message };
      }
    },
  };
}
