import type { CatalogueRow } from "../store/store.ts";
import { EngineMemory } from "./engine-memory.ts";
import type { SynthesizerContext } from "./speech-engine.ts";
import { synthesisEngine } from "./speech-engines.ts";
import type { SpeechSynthesizer } from "./speech-synthesizer.ts";

/** The synthesizers of TTS types. */
export interface Synthesizers {
  /**
   * Null when the entry's engine is not available: its settings are not valid, or its program, model or key is missing. Throws
   * UnknownEngineError.
   */
  of(row: CatalogueRow<"tts_type">): SpeechSynthesizer | null;
  close(): Promise<void>;
}

/** Creates each entry's synthesizer when it is first used. Flite belongs to the caller and is not closed. */
export function createSynthesizers(context: SynthesizerContext): Synthesizers {
  const made = new EngineMemory<"tts_type", SpeechSynthesizer>();
  const builtIn = new Map<string, SpeechSynthesizer | null>();

  function make({ body, engine: settings }: CatalogueRow<"tts_type">): SpeechSynthesizer | null {
    const engine = synthesisEngine(body, settings);
    const parsed = engine.settingsSchema.safeParse(settings ?? {});
    return parsed.success ? engine.createSynthesizer({ body, settings: parsed.data }, context) : null;
  }

  return {
    of(row) {
      const { kind, isBuiltIn = false } = synthesisEngine(row.body, row.engine);
      if (!isBuiltIn) return made.of(row, () => make(row));
      const known = builtIn.get(kind);
      if (known !== undefined) return known;
      const synthesizer = make(row);
      builtIn.set(kind, synthesizer);
      return synthesizer;
    },
    async close() {
      const own = [...builtIn.values()].filter((synthesizer) => synthesizer !== context.flite);
      await Promise.all([made.close(), ...own.map((synthesizer) => synthesizer?.close())]);
    },
  };
}
