import type { Attachments } from "./attachments.ts";
import { remembered, type Remembered } from "./history.ts";
import { addContent, ModelTurn, modelRequest, type TurnHost } from "./model-turn.ts";
import type { SessionRelay } from "../relay/relay-client.ts";
import { relayRequest } from "../relay/relay-request.ts";
import { readRichContent } from "../../protocol/answers/read-rich-content.ts";
import type { Rating } from "../../protocol/answers/rating.ts";
import type { VisitorMessage } from "../../protocol/session/visitor-message.ts";
import type { VisavisErrorCode } from "../../protocol/visavis-error-code.ts";
import { VisavisError } from "../visavis-error.ts";
import { WaitingQuestions, type Question } from "./waiting-questions.ts";

/** Longest wait for the service to begin an answer early, in ms. */
const earlyLimitMs = 5_000;

/** The visitor's questions and the model's answers. A question that cannot be sent waits until the connection is back. */
export class Turns {
  readonly #host: TurnHost;
  readonly #waiting: WaitingQuestions;
  #turn: ModelTurn | null = null;
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
      const request = modelRequest(this.#host, [...memory, asked], line.relay);
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
    const entryId = this.#turn?.stop() ?? null;
    this.#turn = null;
    if (entryId) this.#unfinished.add(entryId);
    return entryId;
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
    const id = addContent(this.#host, read.content);
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

  /**
   * Leaves a message for a person.
   *
   * @throws {VisavisError} `session_lost` without a session, or what the relay answers
   */
  async leaveMessage(relay: SessionRelay | null | undefined, message: VisitorMessage): Promise<void> {
    if (!relay) throw new VisavisError("session_lost", "There is no session to leave a message in.");
    await relayRequest({
      url: `${relay.base}/message`,
      purpose: "session",
      body: message,
      headers: { authorization: `Bearer ${relay.token}` },
    });
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
    const host = this.#host;
    const { line } = host;
    if (!line) return;
    const turn = (this.#turn = new ModelTurn(host, questions));
    for (const { id } of questions) {
      if (host.transcript.get(id)?.status !== "final") host.transcript.update(id, { status: "final" });
      host.memory = remembered(host.memory, id);
    }
    host.handleTurn();
    try {
      await turn.run(line, this.#files);
    } catch (error) {
      if (turn.isStopped) return;
      this.#turn = null;
      const fault = VisavisError.from(error, "engine_failed", "The answer failed. Ask again.");
      this.#handleFault(turn, fault);
      if (this.#waiting.isEmpty || fault.code === "session_lost") host.handleFault(fault);
    } finally {
      if (this.#turn === turn) this.#turn = null;
      host.handleTurn();
    }
  }

  /** What has come of the answer is marked as cut off. A question without any waits if only the connection failed. */
  #handleFault(turn: ModelTurn, fault: VisavisError): void {
    if (!turn.cutOff(fault)) this.#waiting.putBack(turn.questions, fault);
  }
}
