import { answer } from "./answering.ts";
import type { LineState } from "./answer-stream.ts";
import type { Attachments } from "./attachments.ts";
import type { ClientTool } from "./avatar-session.ts";
import type { ConversationLine } from "./conversation-line.ts";
import { chatHistory, remembered, type Remembered } from "./history.ts";
import { joinPiece } from "./spoken-text.ts";
import { toolDefinitions, ToolRegistry } from "./tool-registry.ts";
import type { SessionRelay } from "./relay-client.ts";
import type { Transcript } from "./transcript.ts";
import { avatarExpressionSchema, type AvatarExpression } from "../protocol/data-channel.ts";
import { contentText } from "./content-text.ts";
import { readRichContent } from "../protocol/read-rich-content.ts";
import type { RichContent } from "../protocol/rich-content.ts";
import type { LlmRequest } from "../protocol/llm-request.ts";
import type { Rating } from "../protocol/rating.ts";
import type { Variables } from "../protocol/variables.ts";
import type { VisavisErrorCode } from "../protocol/visavis-error-code.ts";
import { VisavisError } from "./visavis-error.ts";
import { WaitingQuestions, type Question } from "./waiting-questions.ts";

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

/** Longest wait for the service to begin an answer early, in ms. */
const earlyLimitMs = 5_000;

/** The turn in progress. */
interface Turn {
  readonly questions: readonly Question[];
  readonly controller: AbortController;
  /** The answer's entry while it is written, and the last one that was written in this turn. */
  entryId: string | null;
  lastEntryId: string | null;
  usedTool: boolean;
  /** What tools want to show after the answer. */
  readonly contents: RichContent[];
}

/** The mood and expression of a model's call; undefined if it names none. */
function expressionOf(args: string): AvatarExpression | undefined {
  try {
    return avatarExpressionSchema.safeParse(JSON.parse(args)).data;
  } catch {
    return undefined;
  }
}

/** The visitor's questions and the model's answers. A question that cannot be sent waits until the connection is back. */
export class Turns {
  readonly #host: TurnHost;
  readonly #waiting: WaitingQuestions;
  #turn: Turn | null = null;
  /** Interrupted answers that the model had not completed. */
  readonly #unfinished = new Set<string>();
  /** Loaded where a visitor may attach files. */
  #files: Attachments | null = null;
  /** Whether the service begins answers early, as far as is known. */
  #beginsEarly = true;

  constructor(host: TurnHost) {
    this.#host = host;
    this.#waiting = new WaitingQuestions(host, () => void this.sendWaiting());
  }

  get busy(): boolean {
    return this.#turn !== null;
  }

  /** The files for the next question. */
  async attachments(): Promise<Attachments> {
    const { Attachments } = await import("./attachments.ts");
    return (this.#files ??= new Attachments(() => this.#host.line));
  }

  /**
   * Asks the model, with the files that are chosen, now or when the connection is back. Resolves when the answer is over or the
   * question has to wait. `askedAtMs`: when the visitor asked, by `performance.now()`; this module may have been loaded since.
   */
  async ask(id: string, askedAtMs?: number): Promise<void> {
    this.#takeFiles(id);
    await this.#ask(id, askedAtMs);
  }

  /**
   * Lets the service begin the answer to a question that the visitor has probably finished. If they have, it is asked as usual, and
   * answered sooner; if they go on, nothing of it is seen or kept. Never rejects.
   */
  async askEarly(text: string): Promise<void> {
    const { line, memory } = this.#host;
    if (!this.#beginsEarly || this.#turn || !this.#waiting.isEmpty || !line?.up) return;
    const asked: Remembered = { messages: [{ role: "user", content: text }] };
    try {
      const request = this.#request([...memory, asked], line.relay);
      await line.relay.askModel(request, AbortSignal.timeout(earlyLimitMs), "/llm/early");
    } catch {
      // Not every service can, and models that act may not.
      this.#beginsEarly = false;
    }
  }

  /** The chosen files become those of a question. */
  #takeFiles(id: string): void {
    const attachments = this.#files?.take() ?? [];
    if (attachments.length) this.#host.transcript.update(id, { attachments });
  }

  async #ask(id: string, askedAtMs = performance.now()): Promise<void> {
    this.#waiting.add(id, askedAtMs);
    if (this.#host.line?.up) await this.sendWaiting();
    else this.#waiting.wait();
  }

  /** Sends what waits, if the connection is there. Several questions get one answer. */
  readonly sendWaiting = async (): Promise<void> => {
    if (this.#turn || this.#waiting.isEmpty || !this.#host.line?.up) return;
    await this.#run(this.#waiting.take());
  };

  /** Stops the answer. Returns the entry that was being written, or null. */
  stop(): string | null {
    const turn = this.#turn;
    this.#turn = null;
    turn?.controller.abort();
    if (turn?.entryId) this.#unfinished.add(turn.entryId);
    return turn?.entryId ?? null;
  }

  /** The session is lost: what has no answer yet waits for the next session. */
  handleLost(): void {
    const turn = this.#turn;
    this.stop();
    if (turn) this.#handleFault(turn, VisavisError.sessionLost());
  }

  /** Asks again: a question without an answer, or the one whose answer was cut off. */
  async retry(id: string): Promise<void> {
    const { transcript, line } = this.#host;
    const { entries } = transcript;
    const at = entries.findIndex((entry) => entry.id === id);
    const question = entries.slice(0, at + 1).findLast(({ role }) => role === "visitor");
    if (!question) return;
    this.#host.interrupt();
    const status = line?.up ? "final" : "waiting";
    if (question.id === id) {
      transcript.update(id, { status });
      await this.#ask(id);
      return;
    }
    const { attachments } = question;
    const again = transcript.add("visitor", question.text, status);
    if (attachments) transcript.update(again.id, { attachments });
    await this.#ask(again.id);
  }

  /** Says the rest of an interrupted answer. One that the model had not completed is marked as cut off. */
  async resume(id: string): Promise<void> {
    const host = this.#host;
    const entry = host.transcript.get(id);
    if (!entry?.rest) return;
    host.interrupt();
    const text = entry.text + entry.rest;
    const status = this.#unfinished.has(id) ? "cut" : "final";
    host.transcript.update(id, { text, status, rest: "" });
    await host.loadReader(text);
    host.speak(id, entry.text.length, text, true);
  }

  /** Keeps a message that could not be sent, so that the visitor can send it again. */
  keepFailed(text: string, fault: VisavisErrorCode): void {
    const { transcript } = this.#host;
    const { id } = transcript.add("visitor", text, "waiting");
    this.#takeFiles(id);
    transcript.update(id, { status: "failed", fault });
  }

  /**
   * Shows content in the transcript; the model knows what was shown.
   *
   * @throws {VisavisError} `invalid_content`
   */
  show(wanted: unknown): void {
    const read = readRichContent(wanted);
    if ("fault" in read) {
      const fault = new VisavisError("invalid_content", `show(): ${read.fault}`);
      this.#host.handleFault(fault);
      throw fault;
    }
    const id = this.#addContent(read.content);
    this.#host.memory = [...this.#host.memory, { entryId: id }];
  }

  /**
   * Reports the visitor's verdict.
   *
   * @throws {VisavisError} `session_lost` without a session
   */
  async rate(relay: SessionRelay | null | undefined, rating: Rating): Promise<void> {
    if (!relay) throw new VisavisError("session_lost", "There is no session to rate.");
    await relay.report("SESSION_LOG", JSON.stringify({ rating }));
  }

  /** Writes what the visitor did into the transcript and the history. */
  note(text: string): void {
    this.#host.interrupt();
    const { id } = this.#host.transcript.add("visitor", text);
    this.#host.memory = [...this.#host.memory, { entryId: id }];
  }

  /** Forgets a question that has no answer. */
  discard(id: string): void {
    this.#host.memory = this.#host.memory.filter((item) => !("entryId" in item) || item.entryId !== id);
    this.#host.transcript.discard(id);
    this.#waiting.discard(id);
  }

  /** Forgets what waits: the conversation is over. */
  clear(): void {
    this.#files?.forgetSent();
    this.#waiting.clear();
  }

  async #run(questions: readonly Question[]): Promise<void> {
    const controller = new AbortController();
    const turn: Turn = {
      questions,
      controller,
      entryId: null,
      lastEntryId: null,
      usedTool: false,
      contents: [],
    };
    const { host, line } = { host: this.#host, line: this.#host.line };
    if (!line) return;
    this.#turn = turn;
    for (const { id } of questions) {
      if (host.transcript.get(id)?.status !== "final") host.transcript.update(id, { status: "final" });
      host.memory = remembered(host.memory, id);
    }
    host.handleTurn();
    try {
      await this.#answer(turn, line);
    } catch (error) {
      if (controller.signal.aborted) return;
      this.#turn = null;
      const fault = VisavisError.from(error, "engine_failed", "The answer failed. Ask again.");
      this.#handleFault(turn, fault);
      if (this.#waiting.isEmpty || fault.code === "session_lost") host.handleFault(fault);
    } finally {
      if (this.#turn === turn) this.#turn = null;
      host.handleTurn();
    }
  }

  async #answer(turn: Turn, line: ConversationLine): Promise<void> {
    const host = this.#host;
    const tools = new ToolRegistry(host.tools, {
      handleCall: (name, args) => host.handleToolCall(name, args),
      handleEnd: (name, error) => {
        turn.usedTool ||= error === null;
        host.handleToolEnd(name, error);
      },
      handleContent: (name, read) => {
        if ("content" in read) turn.contents.push(read.content);
        else host.handleFault(new VisavisError("invalid_content", `${name}: ${read.fault}`));
      },
    });
    const { signal } = turn.controller;
    const { relay } = line;
    await this.#sendFiles(turn, relay);
    await answer({
      signal,
      lineState: host.lineState,
      tools,
      ask: (limited) => relay.askModel(this.#request(host.memory, relay), limited),
      handlePiece: async (text) => {
        await host.loadReader(text);
        if (!signal.aborted) this.#handlePiece(turn, text);
      },
      handleContent: (wanted) => {
        const read = readRichContent(wanted);
        if ("content" in read) turn.contents.push(read.content);
      },
      handleNotFound: () => {
        if (turn.entryId !== null) host.transcript.update(turn.entryId, { found: false });
      },
      handleRoundEnd: () => this.#endText(turn, { status: "final" }),
      express: (args) => {
        const data = expressionOf(args);
        if (data) line.deliver({ type: "expression", data });
      },
      remember: (messages) => (host.memory = [...host.memory, { messages }]),
    });
    // A model may let a tool of the page answer for it. Otherwise no answer is a failure.
    for (const content of turn.contents) this.#addContent(content);
    if (turn.lastEntryId === null && !turn.usedTool && !turn.contents.length)
      throw new VisavisError("engine_failed", "The language model gave no answer. Ask in other words.");
  }

  /** What the language model is asked with this history. */
  #request(memory: readonly Remembered[], relay: SessionRelay): LlmRequest {
    const { transcript, tools, variables, voiceRate } = this.#host;
    return {
      messages: chatHistory(memory, (id) => transcript.get(id), relay.sessionId),
      tools: toolDefinitions(tools),
      variables,
      ...(voiceRate !== 1 && { speech_rate: voiceRate }),
    };
  }

  /** Waits until the session has the files of the questions. Throws VisavisError. */
  async #sendFiles({ questions, controller }: Turn, relay: SessionRelay): Promise<void> {
    const { transcript } = this.#host;
    for (const { id } of questions) {
      const files = transcript.get(id)?.attachments;
      if (!files?.length || !this.#files) continue;
      const attachments = await this.#files.deliver(files, relay);
      controller.signal.throwIfAborted();
      transcript.update(id, { attachments });
    }
  }

  #handlePiece(turn: Turn, piece: string): void {
    if (!piece || (turn.entryId === null && !piece.trim())) return;
    const { transcript } = this.#host;
    const before = turn.entryId === null ? "" : (transcript.get(turn.entryId)?.text ?? "");
    const text = joinPiece(before, piece);
    if (turn.entryId === null) {
      turn.entryId = turn.lastEntryId = transcript.add("avatar", text, "streaming").id;
      this.#host.memory = [...this.#host.memory, { entryId: turn.entryId }];
    } else transcript.update(turn.entryId, { text });
    this.#host.speak(turn.entryId, before.length, text);
  }

  #addContent(content: RichContent): string {
    const { transcript } = this.#host;
    const { id } = transcript.add("avatar", contentText(content), "streaming");
    transcript.update(id, { content, status: "final" });
    return id;
  }

  /** The answer's text is over. What may have been the beginning of a mark is now known to be text, and spoken. */
  #endText(turn: Turn, change: Parameters<Transcript["update"]>[1]): void {
    const entry = turn.entryId === null ? null : this.#host.transcript.update(turn.entryId, change);
    turn.entryId = null;
    if (entry) this.#host.speak(entry.id, entry.text.length, entry.text, true);
  }

  /** What has come of the answer is marked as cut off. A question without any waits if only the connection failed. */
  #handleFault(turn: Turn, fault: VisavisError): void {
    if (turn.lastEntryId === null) {
      this.#waiting.putBack(turn.questions, fault);
      return;
    }
    turn.entryId = turn.lastEntryId;
    this.#endText(turn, { status: "cut", fault: fault.code });
  }
}
