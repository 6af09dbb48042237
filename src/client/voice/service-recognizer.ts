import type { ServerMessage } from "../../protocol/session/data-channel.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { TypedEvents } from "../typed-events.ts";
import { VisavisError } from "../visavis-error.ts";
import type { RecognizerEvents, TurnRecognizer } from "./turn-recognizer.ts";

/** Longest wait for the text of a recording, in ms: a recognizer has 60 s for it unless its entry says otherwise. */
const textLimitMs = 65_000;

/** The service records nothing, or silence: the visitor said nothing. */
const emptyCodes: readonly unknown[] = ["empty_recording", "no_recording", "no_microphone"];

interface Awaited {
  readonly resolve: (text: string) => void;
  readonly reject: (error: VisavisError) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** The session's recognizer on the server, which hears the microphone's track of the connection (wire conventions, Media). */
export class ServiceRecognizer implements TurnRecognizer {
  readonly events = new TypedEvents<RecognizerEvents>();
  readonly #conversation: Conversation;
  readonly #language: string | undefined;
  readonly #unlisten: () => void;
  /** Texts come in the order in which the recordings ended. */
  #awaited: Awaited[] = [];

  constructor(conversation: Conversation, locale: string | undefined) {
    this.#conversation = conversation;
    this.#language = locale?.split(/[-_]/, 1)[0];
    this.#unlisten = conversation.events.on("notice", (message) => this.#handleNotice(message));
  }

  start(prerollMs: number, _track: MediaStreamTrack, looksAtPauses = false): boolean {
    const { line } = this.#conversation;
    const data = {
      preroll_ms: prerollMs,
      ...(this.#language && { language: this.#language }),
      ...(looksAtPauses && { pauses: true }),
    };
    return line?.deliver({ type: "record-start", data }) ?? false;
  }

  end(): Promise<string> {
    const data = this.#language ? { language: this.#language } : {};
    const { line } = this.#conversation;
    if (!line?.deliver({ type: "record-end-stt", data }))
      return Promise.reject(new VisavisError("network", "The connection was lost before the turn's end."));
    return new Promise((resolve, reject) => {
      // It stays in the queue: should its text come after all, it must not count as the next one's.
      const timer = setTimeout(
        () => reject(new VisavisError("engine_failed", "The recognizer does not answer.")),
        textLimitMs,
      );
      this.#awaited.push({ resolve, reject, timer });
    });
  }

  // A recording that was not ended is dropped by the next one.
  cancel(): void {
    return;
  }

  close(): void {
    this.#unlisten();
    for (let next = this.#next(); next; next = this.#next()) next.resolve("");
  }

  #next(): Awaited | undefined {
    const next = this.#awaited.shift();
    clearTimeout(next?.timer);
    return next;
  }

  #handleNotice(message: ServerMessage): void {
    if (message.type === "stt") this.#next()?.resolve(message.data.text.trim());
    else if (message.type === "stt-partial") {
      const { text, pause } = message.data;
      this.events.emit("partial", text.trim());
      if (pause) this.events.emit("pause", text.trim());
    } else if (message.type === "stt-error") {
      const { code } = message.data;
      if (emptyCodes.includes(code)) this.#next()?.resolve("");
      else this.#next()?.reject(new VisavisError("engine_failed", `The recognizer failed: ${code}.`));
    }
  }
}
