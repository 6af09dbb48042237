import type { ClientMessage, ServerMessage } from "../protocol/data-channel.ts";
import type { LlmRequest, Variables } from "../protocol/llm-stream.ts";
import type { Activity, SessionEvents } from "./avatar-session.ts";
import type { AnswerTask } from "./answering.ts";
import { chatHistory, type Remembered } from "./history.ts";
import { splitSpeech, joinPiece } from "./spoken-text.ts";
import { Speech } from "./speech.ts";
import { ToolRegistry } from "./tool-registry.ts";
import { Transcript } from "./transcript.ts";
import { TypedEvents } from "./typed-events.ts";
import { VisavisError } from "./visavis-error.ts";

/** The way to the service while there is a session. */
export interface ConversationLine {
  /** Whether answers are spoken, or only shown. */
  readonly speaks: boolean;
  /** Sends over the data channel; false when it is not open. */
  deliver(message: ClientMessage): boolean;
  ask(request: LlmRequest, signal: AbortSignal): Promise<Response>;
}

export interface ConversationEvents extends Pick<
  SessionEvents,
  "activitychange" | "message" | "caption" | "captionend" | "interrupted" | "toolcall"
> {
  /** A turn failed; the conversation can go on unless the session is lost. */
  fault: VisavisError;
}

/** Who says what: the visitor's turns, the model's answers, the avatar's speech, and what interrupts them. */
export class Conversation {
  readonly events = new TypedEvents<ConversationEvents>();
  readonly transcript = new Transcript((message) => this.events.emit("message", { message }));
  readonly tools = new ToolRegistry();
  readonly #speech = new Speech();
  #line: ConversationLine | null = null;
  #memory: Remembered[] = [];
  #variables: Variables = {};
  #activity: Activity = "idle";
  /** The answer under way: aborted by an interruption. */
  #turn: AbortController | null = null;
  #answerId: string | null = null;
  readonly #waiting: string[] = [];

  constructor() {
    this.#speech.events.on("caption", (caption) => this.events.emit("caption", caption));
    this.#speech.events.on("captionend", (caption) => this.events.emit("captionend", caption));
    this.#speech.events.on("change", () => this.#updateActivity());
  }

  get activity(): Activity {
    return this.#activity;
  }

  get variables(): Variables {
    return this.#variables;
  }

  setVariables(record: Variables): void {
    this.#variables = { ...this.#variables, ...record };
  }

  connect(line: ConversationLine): void {
    this.#line = line;
  }

  /** The session is over: stops everything where it is. */
  disconnect(): void {
    this.interrupt(false);
    this.#line = null;
    this.#speech.reset();
  }

  /** Forgets what was said. */
  clear(): void {
    this.transcript.clear();
    this.#memory = [];
  }

  /** Tells what happens here to the session's own listeners. */
  forward(events: TypedEvents<SessionEvents>): void {
    for (const type of [
      "activitychange",
      "message",
      "caption",
      "captionend",
      "interrupted",
      "toolcall",
    ] as const)
      this.events.on(type, (detail: SessionEvents[typeof type]) => events.emit(type, detail));
  }

  /** Keeps a text for when the greeting has been said. */
  sayLater(text: string): void {
    this.#waiting.push(text);
  }

  /** Says what was kept. */
  sayWaiting(): void {
    for (const text of this.#waiting.splice(0)) this.say(text);
  }

  /** The avatar says exactly this. */
  say(text: string): void {
    if (!text.trim()) return;
    const { id } = this.transcript.add("avatar", text);
    this.#memory.push({ entryId: id });
    this.#speak(id, 0, text);
  }

  /** The visitor says something; resolves when the answer is complete, interrupted or failed. Never rejects. */
  async ask(text: string): Promise<void> {
    this.interrupt();
    const line = this.#line;
    if (!line) return;
    this.#memory.push({ entryId: this.transcript.add("visitor", text).id });
    const turn = new AbortController();
    this.#turn = turn;
    this.#updateActivity();
    try {
      const { answer } = await import("./answering.ts");
      if (!turn.signal.aborted) await answer(this.#task(line, turn.signal));
    } catch (error) {
      if (!turn.signal.aborted) this.#handleFault(error);
    } finally {
      if (this.#turn === turn) {
        this.#turn = null;
        this.#updateActivity();
      }
    }
  }

  /** Stops speech and answer at once. Each entry keeps what was spoken. `tell`: the service is to stop speaking too. */
  interrupt(tell = true): void {
    if (!this.#turn && !this.#speech.pending) return;
    this.#turn?.abort();
    this.#turn = null;
    if (tell) this.#line?.deliver({ type: "clear-buffer", data: {} });
    const cuts = this.#speech.stop();
    const answering = this.#answerId;
    this.#answerId = null;
    if (answering && !cuts.has(answering))
      cuts.set(answering, this.transcript.get(answering)?.text.length ?? 0);
    for (const [id, length] of cuts) {
      const text = this.transcript.get(id)?.text.slice(0, length).trimEnd() ?? "";
      const message = this.transcript.update(id, { text, status: "interrupted" });
      if (message) this.events.emit("interrupted", { message });
    }
    this.#updateActivity();
  }

  handleMessage(message: ServerMessage): void {
    if (message.type === "stf") this.#speech.handleNotice(message.data);
    else if (message.type === "stf-error" && !this.#speech.handleFault(message.data.message))
      this.transcript.add("avatar", message.data.message);
  }

  /** While nothing is heard of the service, captions wait too. */
  handleHeard(heard: boolean): void {
    this.#speech.hold(!heard);
  }

  /** The channel stands anew: says again what was not heard until the given time. */
  handleRejoined(heardAtMs: number): void {
    for (const { entryId, offset, text } of this.#speech.takeUnheard(heardAtMs))
      this.#speak(entryId, offset, text);
    this.#updateActivity();
  }

  #task(line: ConversationLine, signal: AbortSignal): AnswerTask {
    return {
      signal,
      tools: this.tools,
      ask: (limited) =>
        line.ask(
          {
            messages: chatHistory(this.#memory, (id) => this.transcript.get(id)),
            tools: this.tools.definitions,
            variables: this.#variables,
          },
          limited,
        ),
      handlePiece: (text) => this.#handlePiece(text),
      handleRoundEnd: () => this.#endAnswer("final"),
      handleToolCall: (name, args) => this.events.emit("toolcall", { name, arguments: args }),
      remember: (messages) => this.#memory.push({ messages }),
    };
  }

  #handlePiece(piece: string): void {
    if (!piece) return;
    const before = this.#answerId === null ? "" : (this.transcript.get(this.#answerId)?.text ?? "");
    const text = joinPiece(before, piece);
    if (this.#answerId === null) {
      this.#answerId = this.transcript.add("avatar", text, "streaming").id;
      this.#memory.push({ entryId: this.#answerId });
    } else this.transcript.update(this.#answerId, { text });
    this.#speak(this.#answerId, before.length, text.slice(before.length));
  }

  #endAnswer(status: "final" | "interrupted"): void {
    if (this.#answerId !== null) this.transcript.update(this.#answerId, { status });
    this.#answerId = null;
  }

  #handleFault(error: unknown): void {
    this.#endAnswer("interrupted");
    this.events.emit("fault", VisavisError.from(error, "engine_failed", "The answer failed. Ask again."));
  }

  #speak(entryId: string, offset: number, text: string): void {
    if (!this.#line?.speaks) return;
    for (const part of splitSpeech(text)) {
      this.#speech.enqueue({ entryId, offset: offset + part.offset, text: part.text });
      this.#line.deliver({ type: "ttstf", data: { message: part.text } });
    }
  }

  #updateActivity(): void {
    const activity = this.#currentActivity();
    if (activity === this.#activity) return;
    this.#activity = activity;
    if (activity !== "speaking") this.#line?.deliver({ type: "activity", data: { activity } });
    this.events.emit("activitychange", { activity });
  }

  #currentActivity(): Activity {
    // Between two pieces of an answer the avatar draws breath: it goes on speaking.
    if (this.#speech.speaking || (this.#speech.pending && this.#activity === "speaking")) return "speaking";
    return this.#turn || (this.#speech.pending && this.#activity === "thinking") ? "thinking" : "idle";
  }
}
