import type { ServerMessage } from "../../protocol/session/data-channel.ts";
import { mayHoldMarkup } from "../../markdown/markup.ts";
import type { Variables } from "../../protocol/session/variables.ts";
import type { ClientTool } from "./client-tool.ts";
import type { Activity, SessionEvents } from "../session-events.ts";
import type { ConversationLine } from "./transcript-entry.ts";
import type { Remembered } from "./history.ts";
import type { MarkupReader } from "./markup-reader.ts";
import { splitSpeech } from "../speech/spoken-text.ts";
import type { Speech, Utterance } from "../speech/speech.ts";
import { Transcript } from "./transcript.ts";
import type { TurnHost } from "./model-turn.ts";
import type { Turns } from "./turns.ts";
import type { TypedEvents } from "../typed-events.ts";
import { untilLoaded } from "../until-loaded.ts";
import type { VisavisError } from "../visavis-error.ts";

/** The session's events, and those that only its own parts listen to. */
export interface ConversationEvents extends SessionEvents {
  /** A turn failed. The conversation can go on unless the session is lost. */
  fault: VisavisError;
  /** A message about the visitor's voice. */
  notice: ServerMessage;
}

/** The conversation: the visitor's turns, the model's answers, the avatar's speech, and interruptions. */
export class Conversation implements TurnHost {
  readonly events: TypedEvents<ConversationEvents>;
  readonly transcript = new Transcript((message) => this.events.emit("message", { message }));
  readonly tools = new Map<string, ClientTool>();
  readonly lineState = { backSinceMs: 0 };
  variables: Variables = {};
  voiceRate = 1;
  memory: Remembered[] = [];
  line: ConversationLine | null = null;
  /** What the avatar does while there is nothing to say or to answer. */
  rest: Activity = "idle";
  /** Comes after the first frame. Null in a session that does not speak. */
  speech: Speech | null = null;
  /** Calls that wait for it, in this order. */
  #early: ((speech: Speech) => void)[] = [];
  #activity: Activity = "idle";
  #turns: Turns | null = null;
  /** Questions for which the module is being loaded. */
  #loading = 0;
  readonly #waiting: string[] = [];
  readonly #locale: string;
  /** Reads texts with Markdown as a person would. Loaded when there is such a text. */
  #reader: MarkupReader | null = null;
  #readerLoad: Promise<void> | null = null;

  /** `locale`: BCP 47 tag of the language in which links are mentioned. */
  constructor(events: TypedEvents<ConversationEvents>, locale = "") {
    this.events = events;
    this.#locale = locale;
  }

  get activity(): Activity {
    return this.#activity;
  }

  setVariables(record: Variables): void {
    this.variables = { ...this.variables, ...record };
  }

  connect(line: ConversationLine): void {
    this.line = line;
  }

  /** The session is live: captions follow the voice, and questions can be sent again. */
  handleUp(): void {
    if (this.line?.speaks) void this.#loadSpeech();
    void this.#turns?.sendWaiting();
  }

  /**
   * The session is over: stops everything. If it was lost, answers keep what is written of them, and a question without
   * one waits for the next session.
   */
  disconnect(isLost: boolean): void {
    this.line = null;
    if (isLost) this.#turns?.handleLost();
    else this.interrupt(false);
    this.#early = [];
    this.speech?.reset();
    this.events.emit("voice", { place: null });
    this.handleTurn();
  }

  /** Sends no question any more that waits for the next session. */
  stopWaiting(): void {
    this.#turns?.clear();
  }

  /** Clears the transcript. */
  clear(): void {
    this.interrupt();
    this.stopWaiting();
    this.transcript.clear();
    this.memory = [];
  }

  /** Keeps a text to be said after the greeting. */
  sayLater(text: string): void {
    this.#waiting.push(text);
  }

  /** Says the kept texts. */
  sayWaiting(): void {
    for (const text of this.#waiting.splice(0)) this.say(text);
  }

  /** Makes the avatar say exactly this. */
  say(text: string): void {
    if (!text.trim()) return;
    if (this.speech && !this.#turns?.busy) this.speech.rest = "all";
    const { id } = this.transcript.add("avatar", text);
    this.memory.push({ entryId: id });
    const load = this.loadReader(text);
    if (!load) this.speak(id, 0, text, true);
    else void load.then(() => this.#turns?.busy || this.speak(id, 0, text, true));
  }

  /**
   * Sends a message of the visitor, now or when the connection is back. Resolves when the answer is complete, interrupted
   * or failed, or the message has to wait. Never rejects.
   */
  async ask(text: string): Promise<void> {
    this.interrupt();
    await this.#ask(this.transcript.add("visitor", text, this.line?.up ? "final" : "waiting").id);
  }

  /** The visitor's turns. Offline, their module is tried until it is loaded; the question `id` waits for it. */
  async turnsOf(id = ""): Promise<Turns> {
    const { Turns } = await untilLoaded(
      () => import("./turns.ts"),
      () => this.transcript.update(id, { status: "waiting" }),
    );
    return (this.#turns ??= new Turns(this));
  }

  /** Says the present sentence to its end. The rest of the answer is only written. */
  finishSentence(): void {
    if (this.#turns?.busy || this.speech?.pending) this.#withSpeech((speech) => speech.finishSentence());
  }

  /** Stops speech and answer at once. Each entry keeps what was spoken. `stopService`: the service must stop speaking too. */
  interrupt(stopService = true): void {
    if (this.speech) this.speech.rest = "all";
    if (!this.#turns?.busy && !this.speech?.busy && !this.#early.length) return;
    if (stopService) this.line?.deliver({ type: "clear-buffer", data: {} });
    const answering = this.#turns?.stop();
    if (this.#early.length) this.#early.push((speech) => this.#cut(speech.stop(), answering));
    else this.#cut(this.speech?.stop() ?? new Map<string, number>(), answering);
  }

  #cut(cuts: Map<string, number>, answering: string | null | undefined): void {
    if (answering && !cuts.has(answering))
      cuts.set(answering, this.transcript.get(answering)?.text.length ?? 0);
    for (const [id, length] of cuts) {
      const written = this.transcript.get(id)?.text ?? "";
      const text = written.slice(0, length).trimEnd();
      const rest = written.slice(text.length);
      const message = this.transcript.update(id, { text, status: "interrupted", rest });
      if (message) this.events.emit("interrupted", { message });
    }
    this.handleTurn();
  }

  handleMessage(message: ServerMessage): void {
    const nowMs = performance.now();
    if (message.type === "stf") this.#withSpeech((speech) => speech.handleNotice(message.data, nowMs));
    else if (message.type !== "stf-error") this.events.emit("notice", message);
    else
      this.#withSpeech((speech) => {
        const { message: text } = message.data;
        if (!speech.handleFault(text)) this.transcript.add("avatar", text);
      });
  }

  /** Captions and the limits of answers pause while no messages arrive from the service. */
  handleHeard(heard: boolean): void {
    this.lineState.backSinceMs = heard ? performance.now() : Infinity;
    this.speech?.hold(!heard);
  }

  /** Whether the avatar is in the middle of a sentence that goes on in the next text. */
  get inSentence(): boolean {
    return this.speech?.inSentence ?? false;
  }

  /** The avatar says no further sentence for now, or goes on. */
  holdSpeech(held: boolean): void {
    if (this.line?.speaks) this.#withSpeech((speech) => speech.holdNext(held));
  }

  /** The channel is open again: repeats what the visitor had not heard by the given time. */
  handleRejoined(heardAtMs: number): void {
    this.lineState.backSinceMs = performance.now();
    this.#withSpeech((speech) => {
      for (const utterance of speech.takeUnheard(heardAtMs)) this.#say(utterance);
      this.handleTurn();
    });
  }

  handleToolCall(name: string, args: unknown): void {
    this.events.emit("toolcall", { name, arguments: args });
  }

  handleToolEnd(name: string, error: string | null): void {
    this.events.emit("toolend", { name, error });
  }

  handleFault(error: VisavisError): void {
    this.events.emit("fault", error);
  }

  /** Loads what reads Markdown, when the text needs it. Null: nothing has to be waited for. */
  loadReader(text: string): Promise<void> | null {
    if (!this.#reader && !this.#readerLoad && mayHoldMarkup(text))
      this.#readerLoad = import("./markup-reader.ts")
        .then(({ MarkupReader }) => void (this.#reader = new MarkupReader(this.#locale)))
        // It is loaded again for the next text; this one is spoken as it is written.
        .catch(() => undefined)
        .finally(() => (this.#readerLoad = null));
    return this.#readerLoad;
  }

  /** Speaks an entry's text from the character `from` on. All before it has been spoken. */
  speak(entryId: string, from: number, written: string, isComplete = false): void {
    if (!this.line?.speaks || this.speech?.rest === "silent") return;
    const part =
      this.#reader && mayHoldMarkup(written)
        ? this.#reader.read(entryId, from, written, isComplete)
        : { text: written.slice(from), placeOf: (offset: number) => from + offset };
    for (const { offset, text } of part ? splitSpeech(part.text) : [])
      this.#say({ entryId, text, placeOf: (place) => part?.placeOf(offset + place) ?? 0 });
  }

  #say(utterance: Utterance): void {
    // The new length is never 0.
    if (this.speech?.paused?.push(utterance)) return;
    this.#withSpeech((speech) => speech.enqueue(utterance));
    this.line?.deliver({ type: "ttstf", data: { message: utterance.text } });
  }

  #withSpeech(act: (speech: Speech) => void): void {
    if (this.speech) act(this.speech);
    else this.#early.push(act);
  }

  async #loadSpeech(): Promise<void> {
    const { Speech } = await untilLoaded(() => import("../speech/speech.ts"));
    if (this.speech) return;
    const speech = (this.speech = new Speech(this));
    speech.events.on("caption", (caption) => this.events.emit("caption", caption));
    speech.events.on("captionend", (caption) => this.events.emit("captionend", caption));
    speech.events.on("change", () => {
      // The service may have begun with what comes after the last sentence.
      if (speech.rest === "silent") this.line?.deliver({ type: "clear-buffer", data: {} });
      this.events.emit("voice", { place: speech.place });
      this.handleTurn();
    });
    speech.events.on("unspoken", ({ entryId }) => this.transcript.update(entryId, { unspoken: true }));
    for (const act of this.#early.splice(0)) act(speech);
  }

  /** Derives what the avatar does from turn and speech. */
  handleTurn(): void {
    const activity = this.#currentActivity();
    if (activity === this.#activity) return;
    this.#activity = activity;
    if (activity !== "speaking") this.line?.deliver({ type: "activity", data: { activity } });
    this.events.emit("activitychange", { activity });
  }

  async #ask(id: string): Promise<void> {
    const askedAtMs = performance.now();
    this.#loading++;
    this.handleTurn();
    const turns = await this.turnsOf(id);
    this.#loading--;
    await turns.ask(id, askedAtMs);
    this.handleTurn();
  }

  #currentActivity(): Activity {
    // Between two pieces of an answer the avatar only pauses, so it still counts as speaking.
    const { speaking, active } = this.speech ?? {};
    if (speaking || (active && this.#activity === "speaking")) return "speaking";
    const thinks = this.#turns?.busy || (this.#loading && this.line?.up);
    return thinks || (active && this.#activity === "thinking") ? "thinking" : this.rest;
  }
}
