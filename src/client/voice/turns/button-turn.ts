import type { SessionEvents } from "../../session-events.ts";
import type { TypedEvents } from "../../typed-events.ts";
import { VisavisError } from "../../visavis-error.ts";
import type { TurnRecognizer } from "../turn-recognizer.ts";
import type { VoiceState } from "../voice-state.ts";
import { joinWords } from "./join-words.ts";
import type { SilenceWatch } from "./silence-watch.ts";

/** How much of what was heard before belongs to a turn, in ms. */
const prerollMs = 300;
/** The service records at most a minute; the turn is sent before that. In ms. */
const turnLimitMs = 58_000;

/** What push-to-talk needs from the visitor's voice. */
export interface ButtonTurnHost {
  readonly state: VoiceState;
  readonly events: TypedEvents<SessionEvents>;
  readonly silence: SilenceWatch;
  /** `made`: once it has been. */
  readonly recognizer: { readonly made: TurnRecognizer | null };
  /** `track`: while it is open. */
  readonly microphone: { readonly track: MediaStreamTrack | null };
  /** Opens the microphone. */
  open(): Promise<TurnRecognizer>;
  /** The avatar stops speaking. */
  interrupt(): void;
  /** The turn has become as long as it may be. */
  handleLimit(): void;
  /** The turn is over. */
  ask(question: string): void;
  handleFault(error: unknown): void;
}

/** Push-to-talk: a turn of the visitor lasts while a button is held, or from one press to the next. */
export class ButtonTurn {
  readonly #host: ButtonTurnHost;
  /** The number of the present turn. Work that finishes after its turn is over finds another number here. */
  #turn = 0;
  /** What was understood of a turn after which the visitor has gone on speaking. */
  #carried = "";
  #limitTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ButtonTurnHost) {
    this.#host = host;
  }

  /** What was understood of a turn after which the visitor has gone on speaking. */
  get carried(): string {
    return this.#carried;
  }

  /** Rejects with what went wrong. The host has been told of it too, unless the turn is over already. */
  async begin(): Promise<void> {
    const turn = ++this.#turn;
    this.#host.state.change({ turn: "button", words: "", fault: null });
    try {
      const recognizer = await this.#host.open();
      if (turn === this.#turn) this.#record(recognizer);
    } catch (error) {
      if (turn === this.#turn) this.#host.handleFault(error);
      throw error;
    }
  }

  end(how: "send" | "cancel"): void {
    const { state, recognizer } = this.#host;
    this.stop();
    const wasRecording = state.isRecording;
    state.setRecording(false);
    if (wasRecording && how === "send") void this.#understand();
    else {
      recognizer.made?.cancel();
      state.change({ turn: "none", words: "" });
    }
  }

  /** Stops the timers. What still goes on for the present turn is ignored. */
  stop(): void {
    this.#turn++;
    clearTimeout(this.#limitTimer);
    this.#host.silence.stop();
  }

  /** From now on what the visitor says belongs to the turn. The avatar stops speaking. */
  #record(recognizer: TurnRecognizer): void {
    const { microphone, state, silence } = this.#host;
    const { track } = microphone;
    this.#host.interrupt();
    if (!track || !recognizer.start(prerollMs, track)) {
      this.#host.handleFault(new VisavisError("network", "The connection was lost."));
      return;
    }
    state.setRecording(true);
    this.#limitTimer = setTimeout(() => this.#host.handleLimit(), turnLimitMs);
    silence.start();
  }

  /** Waits for the turn's text and sends it. */
  async #understand(): Promise<void> {
    const { state, recognizer, events } = this.#host;
    const turn = this.#turn;
    state.change({ turn: "recognizing" });
    let text: string;
    try {
      text = (await recognizer.made?.end()) ?? "";
    } catch (error) {
      if (turn === this.#turn) this.#host.handleFault(error);
      return;
    }
    if (text) events.emit("transcript", { text, final: true });
    const question = joinWords(this.#carried, text);
    // The visitor speaks again already: both are one question.
    const goesOn = turn !== this.#turn;
    this.#carried = goesOn ? question : "";
    if (goesOn) return;
    state.change({ turn: "none", words: "", fault: question ? null : "unclear" });
    if (question) this.#host.ask(question);
  }
}
