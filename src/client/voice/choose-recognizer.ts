import type { PublicContext } from "../../protocol/relay-api.ts";
import { turnSettingsOf } from "../../protocol/turn-settings.ts";
import { publicVoiceOf } from "../../protocol/voice-settings.ts";
import type { RecognizerKind } from "../visitor-voice.ts";
import type { Conversation } from "../conversation.ts";
import { chooseBrowserRecognition } from "./browser-recognition.ts";
import { BrowserRecognizer } from "./browser-recognizer.ts";
import { ServiceRecognizer } from "./service-recognizer.ts";
import type { TurnRecognizer } from "./turn-recognizer.ts";

/** A recognizer that is available. */
export interface ChosenRecognizer {
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
