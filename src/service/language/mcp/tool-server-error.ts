import { SseError } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { wordsOfBody } from "../../outbound/server-words.ts";

/** A tool server that refuses, by HTTP or in words of the protocol. `message` is plain; `says` is for the owner and the model. */
export class ToolServerError extends Error {
  override readonly name = "ToolServerError";
  /** The HTTP status that it answered with; null: it answered over the protocol (JSON-RPC). */
  readonly status: number | null;
  /** What it says itself, cut, with keys masked; null: nothing. */
  readonly says: string | null;

  constructor(status: number | null, says: string | null) {
    super(
      status === null
        ? "The tool server refused the request."
        : `The tool server answered with status ${status}.`,
    );
    this.status = status;
    this.says = says;
  }
}

/** What the library puts before a server's words. */
const prefixes =
  /^(?:(?:Streamable HTTP|SSE|MCP) error(?: -?\d+)?: |Error POSTing to endpoint(?: \(HTTP \d+\))?: )+/;

const wordsIn = (message: string): string | null => wordsOfBody(message.replace(prefixes, ""));

/** The status in an error of the library, which has it as its code or in its message. */
function statusOf(error: unknown): number | null {
  if (error instanceof StreamableHTTPError || error instanceof SseError)
    return error.code !== undefined && error.code >= 100 ? error.code : null;
  const named = error instanceof Error ? /\(HTTP (\d{3})\)/.exec(error.message) : null;
  return named ? Number(named[1]) : null;
}

const requestTimeout: number = ErrorCode.RequestTimeout;
const connectionClosed: number = ErrorCode.ConnectionClosed;

/** Errors that the library itself makes with a code of the protocol: nobody answered. */
function isSilence(error: McpError): boolean {
  const isTimeout = error.code === requestTimeout && /timed? ?out/i.test(error.message);
  return isTimeout || (error.code === connectionClosed && /closed/i.test(error.message));
}

/** The refusal that an error of the library reports; null where the server did not answer at all. */
export function refusalIn(error: unknown): ToolServerError | null {
  if (error instanceof ToolServerError) return error;
  if (error instanceof McpError)
    return isSilence(error) ? null : new ToolServerError(null, wordsIn(error.message));
  const status = statusOf(error);
  if (status === null) return null;
  // A status without a body: what the library says about it is in no need of repetition.
  const said = error instanceof Error ? wordsIn(error.message) : null;
  return new ToolServerError(status, said !== null && /status code|^\W*$/.test(said) ? null : said);
}

/** What servers say of a session that they do not know, by HTTP or over the protocol. */
const unknownSession =
  /session.{0,30}(?:not found|expired|invalid|unknown|terminated|missing)|(?:no valid|invalid|unknown|expired|could not find) session|not (?:been )?initiali[sz]ed|before initiali[sz]ation/i;

/**
 * Whether the server no longer knows the connection, for example after a restart, so the request was not carried out (Model Context
 * Protocol, Session management: 404; many servers answer 400).
 */
export function isForgetting({ status, says }: ToolServerError): boolean {
  return status === 404 || status === 400 || unknownSession.test(says ?? "");
}
