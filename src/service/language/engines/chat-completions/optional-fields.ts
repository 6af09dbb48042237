import type { ChatCompletionMessage } from "./chat-messages.ts";

/** Fields of a request that an answer can do without, beside the owner's additional ones. */
const ours = ["stream_options", "temperature", "tool_choice", "tools"] as const;

/** The body of a request. */
export type ChatBody = Readonly<Record<string, unknown>> & { messages: readonly ChatCompletionMessage[] };

/** How servers say that they do not know something. */
const notKnown =
  /support|unrecogni[sz]ed|unknown|unexpected|extra|not (?:permitted|allowed|available|enabled|implemented)/i;

/** The conversation for models whose template has no system role: its text stands before the first question. */
function withoutSystem(messages: ChatBody["messages"]): ChatCompletionMessage[] {
  const [system, question, ...rest] = messages;
  if (system?.role !== "system" || question?.role !== "user") return [...messages];
  const first: ChatCompletionMessage =
    typeof question.content === "string"
      ? { role: "user", content: `${system.content}\n\n${question.content}` }
      : { role: "user", content: [{ type: "text", text: system.content }, ...question.content] };
  return [first, ...rest];
}

/** What a server has refused. Kept for each engine, so that it refuses it once. */
export class RefusedFields {
  readonly #without = new Set<string>();
  /** The server knows the longest answer by its newer name only. */
  #renamesLimit = false;
  #hasNoSystem = false;

  /** A request without what was refused. */
  accepted(body: ChatBody): ChatBody {
    const left = Object.entries(body).filter(([name]) => !this.#without.has(name));
    const renamed = left.map(([name, value]): [string, unknown] => [
      this.#renamesLimit && name === "max_tokens" ? "max_completion_tokens" : name,
      value,
    ]);
    const messages = this.#hasNoSystem ? withoutSystem(body.messages) : body.messages;
    return { ...Object.fromEntries(renamed), messages };
  }

  /**
   * Notes what a server has refused, by what it says. `additional`: the names of the owner's fields. Null if the request has nothing
   * that can be left out: then the error is about something else.
   */
  note(body: ChatBody, additional: readonly string[], says: string | null): string | null {
    const text = says ?? "";
    const words = new Set(text.match(/\w+/g));
    if (!this.#renamesLimit && "max_tokens" in body && words.has("max_completion_tokens")) {
      this.#renamesLimit = true;
      return "max_tokens";
    }
    if (!this.#hasNoSystem && /\bsystem\b.*\b(?:role|message|prompt)/i.test(text) && notKnown.test(text)) {
      this.#hasNoSystem = true;
      return "system";
    }
    const refused = this.#refusedIn(
      [...ours, ...additional].filter((name) => name in body),
      text,
      words,
    );
    if (refused === undefined) return null;
    this.#without.add(refused);
    if (refused === "tools") this.#without.add("tool_choice");
    return refused;
  }

  #refusedIn(names: readonly string[], text: string, words: ReadonlySet<string>): string | undefined {
    // A page's tool may be wrong, which is no reason to do without all of them.
    const aboutTools = /\b(?:tool|function)s?\b/i.test(text);
    if (aboutTools) return notKnown.test(text) && names.includes("tools") ? "tools" : undefined;
    const named = names.find((name) => words.has(name));
    if (named !== undefined) return named;
    // A server that says nothing exact most likely does not know the newest field.
    const isVague = text === "" || notKnown.test(text);
    return isVague && names.includes("stream_options") ? "stream_options" : undefined;
  }
}
