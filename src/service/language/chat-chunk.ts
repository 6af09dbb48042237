import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { ToolCall } from "../../protocol/llm-stream.ts";
import { EngineError } from "./engine-error.ts";

const toolCallPartSchema = z.object({
  index: z.number().int().min(0).nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});
type ToolCallPart = z.infer<typeof toolCallPartSchema>;

const chunkSchema = z.object({
  error: z.unknown().optional(),
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

/** What one chunk of a streamed completion brings. */
export interface ChatChunk {
  text: string;
  toolCalls: readonly ToolCallPart[];
  finished: boolean;
}

/** What ends the stream, as the protocol has it. */
const endMark = "[DONE]";

/** Reads a chunk; null when it is none. Throws EngineError `failed` where the server reports an error inside the stream. */
export function readChatChunk(payload: string): ChatChunk | null {
  if (payload === endMark) return { text: "", toolCalls: [], finished: true };
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
  return {
    text: choice?.delta?.content || choice?.delta?.refusal || "",
    toolCalls: choice?.delta?.tool_calls ?? [],
    finished: typeof choice?.finish_reason === "string",
  };
}

/** More than any model asks for in one answer. */
const maxCalls = 64;
const argumentsMaxCharacters = 262_144;

interface PartialCall {
  index: number | null;
  id: string;
  name: string;
  arguments: string;
}

/** Puts calls together whose parts come in several chunks. */
export class ToolCallAssembly {
  readonly #calls: PartialCall[] = [];

  /** Throws EngineError `not_understood` where a call grows beyond all bounds. */
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

  /** By index; servers that send none give each call whole, or go on with the last one. */
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
