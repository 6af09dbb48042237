import type { McpServer } from "../../protocol/catalogue.ts";
import type { LlmRequest, LlmStreamEvent } from "../../protocol/llm-stream.ts";

/** One turn that a language model is asked for. */
export interface Turn extends LlmRequest {
  /** The session's own system prompt. */
  systemPrompt: string;
  /** Which session asks; external agents keep their state by it. */
  sessionId?: string | undefined;
  locale?: string | undefined;
  /** Whole texts that answers may be taken from, beside the system prompt. */
  documents?: readonly string[] | undefined;
  /** Whether the answer is going to be spoken: then its pieces are cut at natural speaking boundaries. */
  speaks?: boolean | undefined;
  /** Tool servers that the model may use; their tools are run on the server. */
  mcpServers?: readonly ToolServer[] | undefined;
  /**
   * Where the conversation is a visitor's: of the servers' tools, those that may be used although they change something, as
   * `server/tool`. Tools that say of themselves that they only read may always be used. Default: all tools may.
   */
  changingTools?: ReadonlySet<string> | undefined;
  /** No tool may be called any more: the model is to answer with what it has. */
  withoutTools?: boolean | undefined;
  /** 0 to 2; default: the engine's own. */
  temperature?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** A tool server's own limit is taken within these, in seconds. */
export const mcpTimeoutRangeSec = [1, 60] as const;

/** A tool server with what its row keeps to itself. */
export interface ToolServer extends McpServer {
  /** Whether the operator vouches for its address, which may then be a private one. */
  trusted: boolean;
}

/**
 * A language model: answers a turn as a stream of events (wire conventions, Language model stream). What goes wrong while
 * answering is an error event with a reason that visitors may read; it ends the stream. An aborted turn just ends.
 */
export interface LanguageModel {
  answer(turn: Turn): AsyncIterable<LlmStreamEvent>;
  /** It only quotes what it is given: it follows no instruction, uses no tools and cannot translate. */
  readonly quotesOnly?: boolean;
}
