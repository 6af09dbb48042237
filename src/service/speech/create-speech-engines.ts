import { LRUCache } from "lru-cache";
import type { CatalogueKind } from "../store/entities/catalogue-store.ts";
import type { CatalogueRow } from "../store/store.ts";
import type { Logger } from "../../logging/logger.ts";
import type {
  Recognition,
  RecognitionRequest,
  SpeechRecognizer,
  SpeechSpan,
  VoiceActivity,
} from "./speech-recognizer.ts";
import type { OutboundCalls } from "../outbound/outbound-calls.ts";
import type { RecognizerContext, SynthesizerContext } from "./speech-engine.ts";
import { wordsOnly } from "./recognized-words.ts";
import { recognitionEngine, synthesisEngine } from "./speech-engines.ts";
import type { SpeechSynthesizer } from "./speech-synthesizer.ts";
import { existsSync } from "node:fs";
import { findSherpa } from "./engines/sherpa/sherpa-program.ts";
import { createSileroVoiceActivity } from "./engines/sherpa/silero-voice-activity.ts";

/** The number of rows whose engines are kept. */
const rememberedEngines = 200;

/** Engines by their catalogue row. A changed row gets a new engine. Null when a row's engine is not available. */
class EngineMemory<Kind extends CatalogueKind, Engine extends { close(): Promise<void> }> {
  readonly #engines = new LRUCache<string, { engine: Engine | null }>({
    max: rememberedEngines,
    dispose({ engine }, _key, reason) {
      if (reason === "evict") void engine?.close();
    },
  });

  of(row: CatalogueRow<Kind>, make: () => Engine | null): Engine | null {
    const key = JSON.stringify([row.id, row.body, row.engine, row.isOperators]);
    const known = this.#engines.get(key);
    if (known) return known.engine;
    const engine = make();
    this.#engines.set(key, { engine });
    return engine;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#engines.values()].flatMap(({ engine }) => engine?.close() ?? []));
    this.#engines.clear();
  }
}

/** What is kept before the first and after the last word: their first and last sounds are soft. */
const keptAroundMs = 300;

const nothing: Recognition = { text: "", locale: null };

function spanOf(spans: readonly SpeechSpan[], { pcm, sampleRateHz }: RecognitionRequest): Int16Array {
  const startMs = Math.min(...spans.map((span) => span.startMs)) - keptAroundMs;
  const endMs = Math.max(...spans.map((span) => span.endMs)) + keptAroundMs;
  const sample = (ms: number): number => Math.max(0, Math.round((ms * sampleRateHz) / 1_000));
  return pcm.subarray(sample(startMs), sample(endMs));
}

/**
 * A recognizer that gets only recordings with speech, without the silence around it: many models invent words for noise. If the
 * voice activity fails, the recognizer gets the whole recording.
 */
export function speechOnlyRecognizer(
  engine: SpeechRecognizer,
  activity: VoiceActivity,
  log: Pick<Logger, "warn">,
): SpeechRecognizer {
  return {
    ...engine,
    async recognize(request) {
      const spans = await activity.speechIn(request).catch((error: unknown) => {
        request.signal?.throwIfAborted();
        log.warn("voice activity failed", { error: String(error) });
        return null;
      });
      if (spans === null) return engine.recognize(request);
      if (spans.length === 0) return nothing;
      return engine.recognize({ ...request, pcm: spanOf(spans, request) });
    },
  };
}

/** The recognizers of STT types. */
interface Recognizers {
  /**
   * Null when the entry's engine is not available: its settings are not valid, or its program, model or key is missing. Throws
   * UnknownEngineError.
   */
  of(row: CatalogueRow<"stt_type">): SpeechRecognizer | null;
  close(): Promise<void>;
}

/** How recordings are searched for speech before they are recognized. */
interface RecordingCheck {
  activity: VoiceActivity;
  log: Pick<Logger, "warn">;
}

/** Creates each entry's recognizer when it is first used. Without a `check`, recognizers get recordings as they are. */
export function createRecognizers(
  { outbound, ...context }: Omit<RecognizerContext, "fetch"> & { outbound: OutboundCalls },
  check?: RecordingCheck,
): Recognizers {
  const made = new EngineMemory<"stt_type", SpeechRecognizer>();

  function make(row: CatalogueRow<"stt_type">): SpeechRecognizer | null {
    const { body, engine: settings } = row;
    const engine = recognitionEngine(body, settings);
    const parsed = engine.settingsSchema.safeParse(settings ?? {});
    const created = parsed.success
      ? engine.createRecognizer({ body, settings: parsed.data }, { ...context, fetch: outbound.engine(row) })
      : null;
    const recognizer = created && wordsOnly(created);
    return recognizer && check ? speechOnlyRecognizer(recognizer, check.activity, check.log) : recognizer;
  }

  return {
    of: (row) => made.of(row, () => make(row)),
    async close() {
      await Promise.all([made.close(), check?.activity.close()]);
    },
  };
}

/** The synthesizers of TTS types. */
interface Synthesizers {
  /**
   * Null when the entry's engine is not available: its settings are not valid, or its program, model or key is missing. Throws
   * UnknownEngineError.
   */
  of(row: CatalogueRow<"tts_type">): SpeechSynthesizer | null;
  close(): Promise<void>;
}

/** Creates each entry's synthesizer when it is first used. Flite belongs to the caller and is not closed. */
export function createSynthesizers({
  outbound,
  ...context
}: Omit<SynthesizerContext, "fetch"> & { outbound: OutboundCalls }): Synthesizers {
  const made = new EngineMemory<"tts_type", SpeechSynthesizer>();
  const builtIn = new Map<string, SpeechSynthesizer | null>();

  function make(row: CatalogueRow<"tts_type">): SpeechSynthesizer | null {
    const { body, engine: settings } = row;
    const engine = synthesisEngine(body, settings);
    const parsed = engine.settingsSchema.safeParse(settings ?? {});
    const fetch = outbound.engine(row);
    return parsed.success
      ? engine.createSynthesizer({ body, settings: parsed.data }, { ...context, fetch })
      : null;
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
