import type { GuardedFetch } from "../guarded-fetch.ts";
import type { CatalogueRow } from "../store/store.ts";
import { createCommandRecognizer } from "./command-recognizer.ts";
import { EngineMemory } from "./engine-memory.ts";
import { engineApiKey, engineSettings } from "./engine-settings.ts";
import { hasProgram } from "./find-program.ts";
import { missingFiles } from "./model-files.ts";
import { createOpenAiRecognizer } from "./openai-recognizer.ts";
import type { SherpaProgram } from "./sherpa-program.ts";
import { createSherpaRecognizer } from "./sherpa-recognizer.ts";
import type { SpeechRecognizer } from "./speech-recognizer.ts";

/** What recognition engines are made from. */
export interface RecognizersOptions {
  fetch: GuardedFetch;
  /** sherpa-onnx; null where it is not installed. */
  sherpa: SherpaProgram | null;
  /** Where keys are that a row names by `api_key_env`, and the `PATH` of programs. */
  env: Readonly<Record<string, string | undefined>>;
}

/** The recognition engines of catalogue rows. */
export interface Recognizers {
  /** Null where the row's engine is not available: it is not set up, or its key, program or model is missing. */
  of(row: CatalogueRow<"stt_type">): SpeechRecognizer | null;
  close(): Promise<void>;
}

/** Makes recognition engines as rows are asked for. */
export function createRecognizers({ fetch, sherpa, env }: RecognizersOptions): Recognizers {
  const made = new EngineMemory<"stt_type", SpeechRecognizer>();

  function make({ body, engine }: CatalogueRow<"stt_type">): SpeechRecognizer | null {
    // Only OpenAI has an address that is known without one.
    if (engine === null && body.service !== "openai") return null;
    const settings = engineSettings(engine);
    if (settings?.type === "command") {
      const [program = ""] = settings.command;
      return hasProgram(program, env) ? createCommandRecognizer(settings) : null;
    }
    if (settings?.type === "sherpa-onnx")
      return sherpa && missingFiles(settings.config).length === 0
        ? createSherpaRecognizer(sherpa, settings)
        : null;
    if (settings?.type !== "openai") return null;
    if (engine?.["base_url"] === undefined && body.service !== "openai") return null;
    const apiKey =
      engineApiKey(settings, env) ?? (body.service === "openai" ? env["OPENAI_API_KEY"] : undefined);
    if (body.service === "openai" && !apiKey) return null;
    return createOpenAiRecognizer({ fetch, settings, apiKey });
  }

  return {
    of: (row) => made.of(row, () => make(row)),
    close: () => made.close(),
  };
}
