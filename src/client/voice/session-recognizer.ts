import type { PublicContext } from "../../protocol/session/relay-api.ts";
import { turnSettingsOf } from "../../protocol/settings/turn-settings.ts";
import { publicVoiceOf } from "../../protocol/settings/voice-settings.ts";
import type { RecognizerKind } from "../session-events.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { BrowserRecognizer, chooseBrowserRecognition } from "./browser-recognizer.ts";
import { ServiceRecognizer } from "./service-recognizer.ts";
import type { TurnRecognizer } from "./turn-recognizer.ts";
import { VisavisError } from "../visavis-error.ts";

/** A recognizer that is available. */
interface ChosenRecognizer {
  readonly kind: RecognizerKind;
  make(): TurnRecognizer;
}

/**
 * The recognizer of a context's visitors: the one on the service, where the context names one; else the browser's, on the device or,
 * if the owner allows it, by its maker. Null where there is none.
 *
 * @param locale BCP 47 tag of the visitor's language
 */
export async function chooseRecognizer(
  context: PublicContext,
  conversation: Conversation,
  locale: string | undefined,
): Promise<ChosenRecognizer | null> {
  const { recognizer, browser } = publicVoiceOf(context.voice);
  if (recognizer) return { kind: "service", make: () => new ServiceRecognizer(conversation, locale) };
  if (!browser) return null;
  const language = locale ?? navigator.language;
  const { cloud_recognizer: allowsCloud } = turnSettingsOf(context.voice);
  const choice = await chooseBrowserRecognition(language, allowsCloud);
  return choice && { kind: choice.kind, make: () => new BrowserRecognizer(choice, language) };
}

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
