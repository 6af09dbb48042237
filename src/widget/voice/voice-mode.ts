import { publicVoiceOf } from "../../client/index.ts";
import type { UiConfig } from "../../protocol/settings/embed-config.ts";
import type { PublicContext } from "../../protocol/session/relay-api.ts";

/** How visitors may speak. */
export type VoiceMode = NonNullable<UiConfig["voice_mode"]>;

/**
 * How visitors may speak in a context: not at all where nothing can recognize their speech. Whether their browser can is found out
 * later.
 */
export function voiceModeOf(context: Pick<PublicContext, "ui" | "voice"> | null): VoiceMode {
  const { recognizer, browser } = publicVoiceOf(context?.voice);
  if (!context || !(recognizer || browser)) return "off";
  return context.ui.voice_mode ?? "both";
}
