import { keysOf } from "../../protocol/schema/keys-of.ts";
import type { SessionEvents, VoiceStatus } from "../session-events.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { TypedEvents } from "../typed-events.ts";

/** What the visitor's voice does at the moment. The page and the conversation are told of each change. */
export class VoiceState {
  status: VoiceStatus = {
    state: "off",
    fault: null,
    turn: "none",
    words: "",
    handsFree: false,
    questionId: null,
  };
  /** Whether hands-free waits for the visitor's voice. */
  isWaiting = false;
  readonly #conversation: Conversation;
  readonly #events: TypedEvents<SessionEvents>;
  #isRecording = false;

  constructor(conversation: Conversation, events: TypedEvents<SessionEvents>) {
    this.#conversation = conversation;
    this.#events = events;
  }

  /** Whether the present turn is being recorded. */
  get isRecording(): boolean {
    return this.#isRecording;
  }

  change(change: Partial<VoiceStatus>): void {
    const status = { ...this.status, ...change };
    if (keysOf(status).every((key) => status[key] === this.status[key])) return;
    this.status = status;
    this.updateRest();
    this.#events.emit("voicechange", this.status);
  }

  setRecording(isRecording: boolean): void {
    if (isRecording === this.#isRecording) return;
    this.#isRecording = isRecording;
    this.updateRest();
    this.#events.emit(isRecording ? "speechstart" : "speechend", null);
  }

  /** Shows what was understood of the present turn so far. */
  showWords(words: string): void {
    this.change({ words });
    this.#events.emit("transcript", { text: words, final: false });
  }

  /** Tells the conversation what the avatar does while it does not speak. */
  updateRest(): void {
    const isThinking = this.status.turn === "recognizing";
    const isListening = this.#isRecording || (this.isWaiting && this.status.state === "on");
    this.#conversation.rest = isThinking ? "thinking" : isListening ? "listening" : "idle";
    this.#conversation.handleTurn();
  }
}
