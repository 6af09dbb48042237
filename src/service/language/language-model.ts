import type { AttachmentKind } from "../../protocol/answers/attachment.ts";
import type { McpServer } from "../../protocol/catalogue.ts";
import type { LlmRequest } from "../../protocol/answers/llm-request.ts";
import type { LlmStreamEvent } from "../../protocol/answers/llm-stream.ts";
import type { ReadableDocument } from "../knowledge/reading/unit.ts";

/** A file that the visitor has attached to a question. */
export interface TurnAttachment {
  name: string;
  /** The media type. */
  type: string;
  bytes: Uint8Array;
}

/** What an answer has used, as the model's server counts it. */
export interface TokenUse {
  inputTokens: number;
  outputTokens: number;
}

/** One turn for a language model. */
export interface Turn extends LlmRequest {
  /** The system prompt of the session. */
  systemPrompt: string;
  /** The session of the turn; external agents store their state under it. */
  sessionId?: string | undefined;
  locale?: string | undefined;
  /** Documents that answers may be taken from, in addition to the system prompt. */
  documents?: readonly ReadableDocument[] | undefined;
  /** How the avatar is called. */
  avatarName?: string | undefined;
  /** Where "today" is said, an IANA name. Default: the server's. */
  timeZone?: string | undefined;
  /** Whether a model that quotes says what it has quoted. */
  namesSources?: boolean | undefined;
  /** The files that messages name by their ids. Files that are no longer there are missing. */
  attachments?: ReadonlyMap<string, TurnAttachment> | undefined;
  /** Whether the answer will be spoken: then it is split at natural speaking boundaries. */
  speaks?: boolean | undefined;
  /** Tool servers that the model may use; their tools run on the server. */
  mcpServers?: readonly ToolServer[] | undefined;
  /**
   * In a visitor's conversation: the server tools that may be used although they change something, as `server/tool`. Tools that
   * declare themselves read-only may always be used. Default: all tools may.
   */
  changingTools?: ReadonlySet<string> | undefined;
  /** Whether an avatar's face shows the answer: then a model that takes tools may set its mood and expression. */
  hasFace?: boolean | undefined;
  /** Whether a model that takes tools may say that it has no answer: in a visitor's conversation, for the avatar's owner. */
  reportsMissing?: boolean | undefined;
  /** No further tool calls are allowed: the model has to answer with what it has. */
  withoutTools?: boolean | undefined;
  /** 0 to 2; default: the engine's default. */
  temperature?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called with what each request to the model's server has used, where the server says it. */
  onUse?: ((use: TokenUse) => void) | undefined;
  /** Called with why the model failed, with what its server says: for the owner, while the visitor gets the error's event. */
  onFault?: ((fault: Error) => void) | undefined;
  /** Called with how a tool server answered. What it refuses over the protocol, such as wrong arguments, is an answer. */
  onToolServer?: ((use: ToolServerUse) => void) | undefined;
}

/** That a tool server was used, for its list of tools or for a call. `failure`: why it did not answer; undefined: it did. */
export interface ToolServerUse {
  server: ToolServer;
  isCall: boolean;
  failure?: unknown;
}

/** The range for a tool server's own time limit, in seconds. */
export const mcpTimeoutRangeSec = [1, 60] as const;

/** A tool server with the private fields of its row. */
export interface ToolServer extends McpServer {
  /** Whether the operator trusts its address, so that it may be a private one. */
  trusted: boolean;
  /** Whether its row is the operator's. */
  isOperators: boolean;
}

/**
 * A language model: answers a turn as a stream of events (wire conventions, Language model stream). A failure is sent as an error
 * event with a reason that visitors may read, and ends the stream. An aborted turn just ends.
 */
export interface LanguageModel {
  answer(turn: Turn): AsyncIterable<LlmStreamEvent>;
  /** Does ahead what the first answer from documents would wait for. */
  prepare?(turn: Pick<Turn, "documents">): Promise<void>;
  /** It only quotes the given texts: it follows no instructions, uses no tools and cannot translate. */
  readonly quotesOnly?: boolean;
  /** Whether it takes tools: `false` never gets any; undefined, because nobody knows, gets only those of client and owner. */
  readonly takesTools?: boolean | undefined;
  /** The kinds of files that it takes. Default: none. */
  readonly takesAttachments?: readonly AttachmentKind[] | undefined;
}
