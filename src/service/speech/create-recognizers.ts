import type { Logger } from "../../logging/logger.ts";
import type { CatalogueRow } from "../store/store.ts";
import { EngineMemory } from "./engine-memory.ts";
import type { RecognizerContext } from "./speech-engine.ts";
import { recognitionEngine } from "./speech-engines.ts";
import { speechOnlyRecognizer } from "./speech-only-recognizer.ts";
import type { SpeechRecognizer } from "./speech-recognizer.ts";
import type { VoiceActivity } from "./voice-activity.ts";

/** The recognizers of STT types. */
export interface Recognizers {
  /**
   * Null when the entry's engine is not available: its settings are not valid, or its program, model or key is missing. Throws
   * UnknownEngineError.
   */
  of(row: CatalogueRow<"stt_type">): SpeechRecognizer | null;
  close(): Promise<void>;
}

/** How recordings are searched for speech before they are recognized. */
export interface RecordingCheck {
  activity: VoiceActivity;
  log: Pick<Logger, "warn">;
}

/** Creates each entry's recognizer when it is first used. Without a `check`, recognizers get recordings as they are. */
export function createRecognizers(context: RecognizerContext, check?: RecordingCheck): Recognizers {
  const made = new EngineMemory<"stt_type", SpeechRecognizer>();

  function make({ body, engine: settings }: CatalogueRow<"stt_type">): SpeechRecognizer | null {
    const engine = recognitionEngine(body, settings);
    const parsed = engine.settingsSchema.safeParse(settings ?? {});
    const recognizer = parsed.success
      ? engine.createRecognizer({ body, settings: parsed.data }, context)
      : null;
    return recognizer && check ? speechOnlyRecognizer(recognizer, check.activity, check.log) : recognizer;
  }

  return {
    of: (row) => made.of(row, () => make(row)),
    async close() {
      await Promise.all([made.close(), check?.activity.close()]);
    },
  };
}
