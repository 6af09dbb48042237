import { answer, type LineState, toolDefinitions, ToolRegistry } from "./answering.ts";
import type { Attachments } from "./attachments.ts";
import type { ClientTool } from "./client-tool.ts";
import { chatHistory, contentText, type Remembered } from "./history.ts";
import type { ConversationLine } from "./transcript-entry.ts";
import type { SessionRelay } from "../relay/relay-client.ts";
import { joinPiece } from "../speech/spoken-text.ts";
import type { Transcript } from "./transcript.ts";
import { type AvatarExpression, avatarExpressionSchema } from "../../protocol/session/data-channel.ts";
import type { LlmRequest } from "../../protocol/answers/llm-request.ts";
import { readRichContent } from "../../protocol/answers/read-rich-content.ts";
import type { RichContent } from "../../protocol/answers/rich-content.ts";
import type { Variables } from "../../protocol/session/variables.ts";
import { VisavisError } from "../visavis-error.ts";
import type { Question } from "./waiting-questions.ts";

/** What turns need from the conversation. */
export interface TurnHost {
  readonly transcript: Transcript;
  readonly tools: ReadonlyMap<string, ClientTool>;
  readonly variables: Variables;
  /** How fast the visitor wants the voice; 1 is the owner's rate. */
  readonly voiceRate: number;
  readonly line: ConversationLine | null;
  readonly lineState: LineState;
  memory: Remembered[];
  /** Loads what reads Markdown, when the text needs it. Null: nothing has to be waited for. */
  loadReader(text: string): Promise<void> | null;
  /** Speaks an entry's text from the character `from` on. */
  speak(entryId: string, from: number, written: string, isComplete?: boolean): void;
  handleToolCall(name: string, args: unknown): void;
  handleToolEnd(name: string, error: string | null): void;
  handleFault(error: VisavisError): void;
  interrupt(): void;
  /** A turn has begun or ended. */
  handleTurn(): void;
}

/** The mood and expression of a model's call; undefined if it names none. */
function expressionOf(args: string): AvatarExpression | undefined {
  try {
    return avatarExpressionSchema.safeParse(JSON.parse(args)).data;
  } catch {
    return undefined;
  }
}

/** What the language model is asked with this history. */
export function modelRequest(
  { transcript, tools, variables, voiceRate }: TurnHost,
  memory: readonly Remembered[],
  { sessionId }: Pick<SessionRelay, "sessionId">,
): LlmRequest {
  return {
    messages: chatHistory(memory, (id) => transcript.get(id), sessionId),
    tools: toolDefinitions(tools),
    variables,
    ...(voiceRate !== 1 && { speech_rate: voiceRate }),
  };
}

/** Shows content in the transcript. Returns the id of its entry. */
export function addContent({ transcript }: Pick<TurnHost, "transcript">, content: RichContent): string {
  const { id } = transcript.add("avatar", contentText(content), "streaming");
  transcript.update(id, { content, status: "final" });
  return id;
}

/** Questions that are answered together, and the model's answer, which is written into the transcript and spoken as it comes. */
export class ModelTurn {
  readonly questions: readonly Question[];
  readonly #host: TurnHost;
  readonly #controller = new AbortController();
  /** The answer's entry while it is written, and the last one that was written in this turn. */
  #entryId: string | null = null;
  #lastEntryId: string | null = null;
  #usedTool = false;
  #isHandedOver = false;
  /** What tools want to show after the answer. */
  readonly #contents: RichContent[] = [];

  constructor(host: TurnHost, questions: readonly Question[]) {
    this.#host = host;
    this.questions = questions;
  }

  get isStopped(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Stops the answer. Returns the entry that was being written, or null. */
  stop(): string | null {
    this.#controller.abort();
    return this.#entryId;
  }

  /**
   * Asks the model. Resolves when the answer is complete. Throws VisavisError when there is none; what it throws after
   * `stop()` means nothing.
   */
  async run(line: ConversationLine, files: Attachments | null): Promise<void> {
    const host = this.#host;
    const { signal } = this.#controller;
    const { relay } = line;
    if (files) await this.#sendFiles(files, relay);
    await answer({
      signal,
      lineState: host.lineState,
      tools: this.#tools(),
      ask: (limited) => relay.askModel(modelRequest(host, host.memory, relay), limited),
      handlePiece: async (text) => {
        await host.loadReader(text);
        if (!signal.aborted) this.#handlePiece(text);
      },
      handleContent: (wanted) => {
        const read = readRichContent(wanted);
        if ("content" in read) this.#contents.push(read.content);
      },
      handleHandover: () => (this.#isHandedOver = true),
      handleFinding: (finding) => {
        if (this.#entryId !== null) host.transcript.update(this.#entryId, finding);
      },
      handleRoundEnd: () => this.#endText({ status: "final" }),
      express: (args) => {
        const data = expressionOf(args);
        if (data) line.deliver({ type: "expression", data });
      },
      remember: (messages) => (host.memory = [...host.memory, { messages }]),
    });
    for (const content of this.#contents) addContent(host, content);
    // A model may let a tool of the page answer for it. Otherwise no answer is a failure.
    if (this.#lastEntryId === null && !this.#usedTool && !this.#isHandedOver && !this.#contents.length)
      throw new VisavisError("engine_failed", "The language model gave no answer. Ask in other words.");
  }

  /** Marks what has come of the answer as cut off. False: nothing has come of it. */
  cutOff(fault: VisavisError): boolean {
    if (this.#lastEntryId === null) return false;
    this.#entryId = this.#lastEntryId;
    this.#endText({ status: "cut", fault: fault.code });
    return true;
  }

  /** The page's tools for this turn. */
  #tools(): ToolRegistry {
    const host = this.#host;
    return new ToolRegistry(host.tools, {
      handleCall: (name, args) => host.handleToolCall(name, args),
      handleEnd: (name, error) => {
        this.#usedTool ||= error === null;
        host.handleToolEnd(name, error);
      },
      handleContent: (name, read) => {
        if ("content" in read) this.#contents.push(read.content);
        else host.handleFault(new VisavisError("invalid_content", `${name}: ${read.fault}`));
      },
    });
  }

  /** Waits until the session has the files of the questions. Throws VisavisError. */
  async #sendFiles(files: Attachments, relay: SessionRelay): Promise<void> {
    const { transcript } = this.#host;
    for (const { id } of this.questions) {
      const chosen = transcript.get(id)?.attachments;
      if (!chosen?.length) continue;
      const attachments = await files.deliver(chosen, relay);
      this.#controller.signal.throwIfAborted();
      transcript.update(id, { attachments });
    }
  }

  #handlePiece(piece: string): void {
    if (!piece || (this.#entryId === null && !piece.trim())) return;
    const { transcript } = this.#host;
    const before = this.#entryId === null ? "" : (transcript.get(this.#entryId)?.text ?? "");
    const text = joinPiece(before, piece);
    if (this.#entryId === null) {
      this.#entryId = this.#lastEntryId = transcript.add("avatar", text, "streaming").id;
      this.#host.memory = [...this.#host.memory, { entryId: this.#entryId }];
    } else transcript.update(this.#entryId, { text });
    this.#host.speak(this.#entryId, before.length, text);
  }

  /** The answer's text is over. What may have been the beginning of a mark is now known to be text, and spoken. */
  #endText(change: Parameters<Transcript["update"]>[1]): void {
    const entry = this.#entryId === null ? null : this.#host.transcript.update(this.#entryId, change);
    this.#entryId = null;
    if (entry) this.#host.speak(entry.id, entry.text.length, entry.text, true);
  }
}
