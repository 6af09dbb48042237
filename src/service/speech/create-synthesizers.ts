import type { GuardedFetch } from "../guarded-fetch.ts";
import type { CatalogueRow } from "../store/store.ts";
import type { AudioDesk } from "./audio-desk.ts";
import { EngineMemory } from "./engine-memory.ts";
import { engineApiKey, engineSettings } from "./engine-settings.ts";
import { missingFiles } from "./model-files.ts";
import { createOpenAiSynthesizer } from "./openai-synthesizer.ts";
import type { SherpaProgram } from "./sherpa-program.ts";
import { createSherpaSynthesizer } from "./sherpa-synthesizer.ts";
import type { SpeechSynthesizer } from "./speech-synthesizer.ts";

/** What speech engines are made from. */
export interface SynthesizersOptions {
  flite: SpeechSynthesizer;
  /** eSpeak NG; null where it is not installed. */
  espeak: SpeechSynthesizer | null;
  /** sherpa-onnx; null where it is not installed. */
  sherpa: SherpaProgram | null;
  audio: AudioDesk;
  fetch: GuardedFetch;
  /** Where keys are that a row names by `api_key_env`. */
  env: Readonly<Record<string, string | undefined>>;
}

/** The speech engines of catalogue rows. */
export interface Synthesizers {
  /** Null where the row's engine is not available: it is not installed or not set up, or its key is missing. */
  of(row: CatalogueRow<"tts_type">): SpeechSynthesizer | null;
  close(): Promise<void>;
}

/** Makes speech engines as rows are asked for. Flite and eSpeak NG are shared by all rows, and closed by whoever made them. */
export function createSynthesizers(options: SynthesizersOptions): Synthesizers {
  const { flite, espeak, sherpa, audio, fetch, env } = options;
  const made = new EngineMemory<"tts_type", SpeechSynthesizer>();

  function make({ body, engine }: CatalogueRow<"tts_type">): SpeechSynthesizer | null {
    const settings = engineSettings(engine);
    if (settings?.type === "sherpa-onnx")
      return sherpa && missingFiles(settings.config).length === 0
        ? createSherpaSynthesizer(sherpa, settings, audio)
        : null;
    if (settings?.type !== "openai") return null;
    if (engine?.["base_url"] === undefined && body.service !== "openai") return null;
    const apiKey =
      engineApiKey(settings, env) ?? (body.service === "openai" ? env["OPENAI_API_KEY"] : undefined);
    if (body.service === "openai" && !apiKey) return null;
    const { model, voice_settings: voiceSettings } = body;
    return createOpenAiSynthesizer({ audio, fetch, settings, apiKey, model, voiceSettings });
  }

  return {
    of(row) {
      if (row.body.service === "visavis" && row.body.model === "flite") return flite;
      if (row.body.service === "visavis" && row.body.model === "espeak-ng") return espeak;
      return made.of(row, () => make(row));
    },
    close: () => made.close(),
  };
}
