import type { SessionController } from "../session/session-controller.ts";
import type { VisitorSettings } from "./visitor-settings.ts";

/** Makes the session follow what the visitor has chosen. `reducedMotion`: asked for here, or by the visitor's system. */
export function applySettings(
  session: SessionController,
  { silent, textOnly, voiceRate }: VisitorSettings,
  reducedMotion: boolean,
): void {
  session.silent = silent === true || textOnly === true;
  session.current?.setReducedMotion(reducedMotion);
  session.current?.setVoiceRate(voiceRate ?? 1);
}
