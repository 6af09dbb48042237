import * as z from "zod";
import type { TokenUse } from "../../language-model.ts";
import { EngineError } from "../../streaming/engine-error.ts";
import type { EnginePayload } from "../../streaming/event-payloads.ts";
import { serverWords } from "../../../outbound/server-words.ts";

const calledSchema = z.looseObject({
  name: z.string().nullish().catch(null),
  arguments: z.unknown().optional(),
});

/** A part of a call. A wrong field is as a missing one: the rest of the call may still be understood. */
const callPartSchema = z.looseObject({
  index: z.number().int().min(0).nullish().catch(null),
  id: z.coerce.string().nullish().catch(null),
  function: calledSchema.nullish().catch(null),
});
export type CallPart = z.infer<typeof callPartSchema>;

/** A piece of the answer in a stream (`delta`), or the whole one. */
const messageSchema = z.object({
  content: z.unknown().optional(),
  refusal: z.string().nullish().catch(null),
  /** The thoughts of models whose server keeps them apart. */
  reasoning_content: z.unknown().optional(),
  reasoning: z.unknown().optional(),
  tool_calls: z.array(z.unknown().optional()).nullish().catch(null),
  /** Before there were `tool_calls`. */
  function_call: calledSchema.nullish().catch(null),
});
type Message = z.infer<typeof messageSchema>;

const choiceSchema = z.object({
  index: z.number().nullish().catch(null),
  delta: messageSchema.nullish().catch(null),
  message: messageSchema.nullish().catch(null),
  /** Of the older protocol of completions. */
  text: z.string().nullish().catch(null),
  finish_reason: z.string().nullish().catch(null),
});

const tokens = z.number().int().min(0);

const chunkSchema = z.object({
  error: z.unknown().optional(),
  object: z.unknown().optional(),
  /** In the last chunk; some servers send it with each chunk, with what was used so far. */
  usage: z.object({ prompt_tokens: tokens, completion_tokens: tokens }).nullish().catch(null),
  choices: z.array(choiceSchema).nullish(),
});
type Chunk = z.infer<typeof chunkSchema>;

/** How an answer ended: complete, cut off at its longest length, or stopped by a filter. */
export type Finish = "complete" | "cut_off" | "filtered";

/** The content of one chunk of a completion. */
export interface ChatChunk {
  text: string;
  calls: readonly CallPart[];
  /** Whether the server sends the model's thoughts apart from its text. */
  hasThoughts: boolean;
  /** Null: the answer goes on. */
  finish: Finish | null;
  /** What the answer has used until now; null: the chunk does not say it. */
  use: TokenUse | null;
}

const nothing: ChatChunk = { text: "", calls: [], hasThoughts: false, finish: null, use: null };

/** The text of a message: as such, or in parts of which only those of type text are meant for the reader. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const part = z.object({ type: z.enum(["text", "output_text"]), text: z.string() });
  return content
    .map((one) => (typeof one === "string" ? one : (part.safeParse(one).data?.text ?? "")))
    .join("");
}

function callsOf({ tool_calls, function_call }: Message): CallPart[] {
  const parts = (tool_calls ?? []).flatMap((part): CallPart[] => {
    const read = callPartSchema.safeParse(part);
    return read.success ? [read.data] : [];
  });
  return function_call ? [...parts, { index: 0, function: function_call }] : parts;
}

function finishOf(reason: string): Finish {
  if (/^(?:length|max_tokens|max_output_tokens)$/i.test(reason)) return "cut_off";
  if (/filter|safety|recitation|prohibited|blocklist/i.test(reason)) return "filtered";
  if (/^error$/i.test(reason)) throw new EngineError("failed");
  return "complete";
}

/** Whether a value is an error of the server, in any of the shapes in which servers send one with status 200. */
function isError(event: string | null, value: unknown, chunk: Chunk | undefined): boolean {
  if (event === "error") return true;
  if (Array.isArray(value) || typeof value !== "object" || value === null) return Array.isArray(value);
  if (chunk?.error !== undefined && chunk.error !== null) return true;
  return !("choices" in value) && (chunk?.object === "error" || "detail" in value || "message" in value);
}

/**
 * Reads a chunk of a stream, or a whole completion; null if it is neither. Throws EngineError `failed` when the server reports an
 * error.
 */
export function readChatChunk({ event, value }: EnginePayload): ChatChunk | null {
  if (value === "[DONE]") return { ...nothing, finish: "complete" };
  const chunk = chunkSchema.safeParse(value).data;
  if (isError(event, value, chunk)) throw new EngineError("failed", { says: serverWords(value) });
  if (!chunk) return null;
  const { choices, usage } = chunk;
  // A server may be told to send several answers; they are alternatives to the first one.
  const choice = choices?.find(({ index }) => (index ?? 0) === 0);
  const message = choice?.delta ?? choice?.message;
  return {
    text: (message && (textOf(message.content) || message.refusal)) || choice?.text || "",
    calls: message ? callsOf(message) : [],
    hasThoughts: Boolean(message?.reasoning_content ?? message?.reasoning),
    finish: typeof choice?.finish_reason === "string" ? finishOf(choice.finish_reason) : null,
    use: usage ? { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } : null,
  };
}
