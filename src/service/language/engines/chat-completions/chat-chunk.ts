import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { ToolCall } from "../../../../protocol/llm-request.ts";
import type { TokenUse } from "../../language-model.ts";
import { EngineError } from "../../streaming/engine-error.ts";

const toolCallPartSchema = z.object({
  index: z.number().int().min(0).nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});
type ToolCallPart = z.infer<typeof toolCallPartSchema>;

const tokens = z.number().int().min(0);

const chunkSchema = z.object({
  error: z.unknown().optional(),
  /** In the last chunk; some servers send it with each chunk, with what was used so far. */
  usage: z.object({ prompt_tokens: tokens, completion_tokens: tokens }).nullish().catch(null),
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            tool_calls: z.array(toolCallPartSchema).nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .default([]),
});

/** The content of one chunk of a streamed completion. */
export interface ChatChunk {
  text: string;
  toolCalls: readonly ToolCallPart[];
  finished: boolean;
  /** What the answer has used until now; null: the chunk does not say it. */
  use: TokenUse | null;
}

/** The protocol's marker for the end of the stream. */
const endMark = "[DONE]";

/** Reads a chunk; null if it is not one. Throws EngineError `failed` when the server reports an error inside the stream. */
export function readChatChunk(payload: string): ChatChunk | null {
  if (payload === endMark) return { text: "", toolCalls: [], finished: true, use: null };
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    return null;
  }
  const parsed = chunkSchema.safeParse(value);
  if (!parsed.success) return null;
  if (parsed.data.error !== undefined && parsed.data.error !== null) throw new EngineError("failed");
  const choice = parsed.data.choices[0];
  const { usage } = parsed.data;
  return {
    text: choice?.delta?.content || choice?.delta?.refusal || "",
    toolCalls: choice?.delta?.tool_calls ?? [],
    finished: typeof choice?.finish_reason === "string",
    use: usage ? { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } : null,
  };
}

/** More than any model calls in one answer. */
const maxCalls = 64;
const argumentsMaxCharacters = 262_144;

interface PartialCall {
  index: number | null;
  id: string;
  name: string;
  arguments: string;
}

/** Assembles calls whose parts arrive in several chunks. */
export class ToolCallAssembly {
  readonly #calls: PartialCall[] = [];

  /** Throws EngineError `not_understood` when calls exceed the limits. */
  add(part: ToolCallPart): void {
    const call = this.#callOf(part);
    if (part.id) call.id = part.id;
    // Some servers repeat the name with every part, so it is set and not appended.
    if (part.function?.name) call.name = part.function.name;
    call.arguments += part.function?.arguments ?? "";
    if (call.arguments.length > argumentsMaxCharacters || this.#calls.length > maxCalls)
      throw new EngineError("not_understood");
  }

  get calls(): ToolCall[] {
    return this.#calls
      .filter(({ name }) => name !== "")
      .map(({ id, name, arguments: text }) => ({
        id: id || `call_${randomUUID()}`,
        type: "function",
        function: { name, arguments: text.trim() === "" ? "{}" : text },
      }));
  }

  /** Finds a call by index. Servers that send no index send each call as a whole, or continue the last one. */
  #callOf({ index = null, id, function: called }: ToolCallPart): PartialCall {
    const last = this.#calls.at(-1);
    const known =
      index !== null
        ? this.#calls.find((call) => call.index === index)
        : id
          ? this.#calls.find((call) => call.id === id)
          : called?.name
            ? undefined
            : last;
    if (known) return known;
    const call: PartialCall = { index, id: "", name: "", arguments: "" };
    this.#calls.push(call);
    return call;
  }
}
