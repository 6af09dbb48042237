import type { PublicContext } from "../../protocol/relay-api.ts";
import type { RecognizerKind } from "../visitor-voice.ts";
import type { Conversation } from "../conversation.ts";
import { VisavisError } from "../visavis-error.ts";
import { chooseRecognizer, type ChosenRecognizer } from "./choose-recognizer.ts";
import type { TurnRecognizer } from "./turn-recognizer.ts";

/** What the choice of a recognizer depends on. */
export interface RecognizerHost {
  readonly conversation: Conversation;
  readonly options: { readonly locale?: string };
  loadContext(): Promise<PublicContext>;
}

/** The session's recognizer: chosen once, made for the first turn. */
export class SessionRecognizer {
  readonly #host: RecognizerHost;
  readonly #handlePartial: (text: string) => void;
  #choice: Promise<ChosenRecognizer | null> | null = null;
  #kind: RecognizerKind | null = null;
  #made: TurnRecognizer | null = null;

  /** @param handlePartial gets what was understood of the present turn so far */
  constructor(host: RecognizerHost, handlePartial: (text: string) => void) {
    this.#host = host;
    this.#handlePartial = handlePartial;
  }

  /** The recognizer, if a turn has needed it yet. */
  get made(): TurnRecognizer | null {
    return this.#made;
  }

  /** The kind of `made`. */
  get kind(): RecognizerKind | null {
    return this.#kind;
  }

  /** Chooses the recognizer; null where there is none. A choice that failed is made again at the next call. */
  choose(): Promise<ChosenRecognizer | null> {
    const { conversation, options } = this.#host;
    return (this.#choice ??= this.#host
      .loadContext()
      .then((context) => chooseRecognizer(context, conversation, options.locale))
      .catch((error: unknown) => {
        this.#choice = null;
        throw error;
      }));
  }

  /** The recognizer of the visitor's turns. Rejects with VisavisError where there is none. */
  async find(): Promise<TurnRecognizer> {
    if (this.#made) return this.#made;
    const chosen = await this.choose();
    if (!chosen)
      throw new VisavisError(
        "engine_failed",
        "Nothing recognizes speech: the context has no stt_type, and this browser no recognizer of its own.",
      );
    this.#kind = chosen.kind;
    return (this.#made ??= this.#make(chosen));
  }

  /** Gets what the recognizer needs. Where that fails, the next turn has the next choice. Rejects with VisavisError. */
  async prepare(recognizer: TurnRecognizer): Promise<void> {
    try {
      await recognizer.prepare?.();
    } catch (error) {
      recognizer.close();
      this.#choice = this.#made = this.#kind = null;
      throw error;
    }
  }

  #make(chosen: ChosenRecognizer): TurnRecognizer {
    const recognizer = chosen.make();
    recognizer.events.on("partial", this.#handlePartial);
    return recognizer;
  }
}
