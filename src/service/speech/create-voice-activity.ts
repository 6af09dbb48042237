import { existsSync } from "node:fs";
import { findSherpa } from "./engines/sherpa/find-sherpa.ts";
import { createSileroVoiceActivity } from "./engines/sherpa/silero-voice-activity.ts";
import type { RecognizerContext } from "./speech-engine.ts";
import type { VoiceActivity } from "./voice-activity.ts";

/** Voice activity by the installed model (`VISAVIS_VAD_MODEL`). Null without the model or sherpa-onnx. */
export function createVoiceActivity({
  environment,
  scriptUrl,
}: Pick<RecognizerContext, "environment" | "scriptUrl">): VoiceActivity | null {
  const modelFile = environment["VISAVIS_VAD_MODEL"];
  const modulePath = findSherpa(environment["VISAVIS_SHERPA_PATH"] || undefined);
  if (!modelFile || modulePath === null || !existsSync(modelFile)) return null;
  return createSileroVoiceActivity({ processUrl: scriptUrl("sherpa-process"), modulePath }, modelFile);
}
