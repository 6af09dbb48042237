import type { UiConfig } from "./embed-config.ts";

/** Whether the owner has a text of their own for the launcher's hint, in any language. */
const hasOwnHint = ({ texts = {} }: Pick<UiConfig, "texts">): boolean =>
  Object.keys(texts).some((key) => /(?:^|\.)launcher_hint$/.test(key));

/**
 * The key of the text that says how visitors talk with the avatar. It promises no voice where only the visitor's browser may
 * recognize speech, because most browsers cannot.
 *
 * @param inWriting the conversation has no voice
 * @param recognizes the service recognizes speech
 */
export function launcherHint(
  ui: Pick<UiConfig, "voice_mode" | "text_input" | "texts">,
  inWriting: boolean,
  recognizes: boolean | undefined,
): "launcher_hint" | "launcher_hint_written" | "ai_assistant" {
  if (inWriting || ui.voice_mode === "off") return "launcher_hint_written";
  return ui.text_input === false || !(recognizes || hasOwnHint(ui)) ? "ai_assistant" : "launcher_hint";
}
