import type { LanguageModel } from "./language/language-model.ts";
import type { EngineKind, EngineOutcome, ServiceMetrics } from "./metrics.ts";
import type { SessionDependencies } from "./sessions/session-dependencies.ts";
import type { SpeechRecognizer } from "./speech/speech-recognizer.ts";
import type { SpeechSynthesizer } from "./speech/speech-synthesizer.ts";

type SessionEngines = Pick<
  SessionDependencies,
  "synthesizer" | "recognizer" | "languageModel" | "interactiveAgent"
>;

type Metrics = Pick<ServiceMetrics, "engineCalled">;

/** Codes of errors that speak of what an engine was given, not of the engine. */
const refusals = new Set<unknown>([
  "unspeakable_text",
  "text_too_long",
  "empty",
  "broken",
  "unsupported",
  "too_long",
]);

function outcomeOf(error: unknown, signal: AbortSignal | undefined): EngineOutcome {
  if (signal?.aborted) return "aborted";
  return error instanceof Error && "code" in error && refusals.has(error.code) ? "refused" : "failed";
}

async function measured<Result>(
  { engineCalled }: Metrics,
  engine: EngineKind,
  signal: AbortSignal | undefined,
  call: () => Promise<Result>,
): Promise<Result> {
  const startedMs = performance.now();
  let outcome: EngineOutcome = "ok";
  try {
    return await call();
  } catch (error) {
    outcome = outcomeOf(error, signal);
    throw error;
  } finally {
    engineCalled(engine, outcome, (performance.now() - startedMs) / 1000);
  }
}

function measuredSynthesizer(engine: SpeechSynthesizer, metrics: Metrics): SpeechSynthesizer {
  return {
    voices: engine.voices,
    remembers: engine.remembers ?? false,
    ...(engine.expect && { expect: (text: string) => engine.expect?.(text) }),
    synthesize: (request) => measured(metrics, "tts", request.signal, () => engine.synthesize(request)),
    close: () => engine.close(),
  };
}

function measuredRecognizer(engine: SpeechRecognizer, metrics: Metrics): SpeechRecognizer {
  return {
    recognize: (request) => measured(metrics, "stt", request.signal, () => engine.recognize(request)),
    recognizeFile(request) {
      const recognition = engine.recognizeFile?.(request);
      return recognition ? measured(metrics, "stt", request.signal, () => recognition) : null;
    },
    close: () => engine.close(),
  };
}

function measuredModel(model: LanguageModel, { engineCalled }: Metrics): LanguageModel {
  return {
    quotesOnly: model.quotesOnly ?? false,
    async *answer(turn) {
      const startedMs = performance.now();
      // What is left before its end was not wanted any more.
      let outcome: EngineOutcome = "aborted";
      try {
        let ending: EngineOutcome = "ok";
        for await (const event of model.answer(turn)) {
          if (event.status === "error") ending = "failed";
          yield event;
        }
        outcome = turn.signal?.aborted ? "aborted" : ending;
      } catch (error) {
        outcome = outcomeOf(error, turn.signal);
        throw error;
      } finally {
        engineCalled("llm", outcome, (performance.now() - startedMs) / 1000);
      }
    },
  };
}

/** The engines, with each call recorded: how it ended and how long it took. */
export function measuredEngines(engines: SessionEngines, metrics: Metrics): SessionEngines {
  const recorded =
    <Row, Engine>(find: (row: Row) => Engine | null, record: (engine: Engine, metrics: Metrics) => Engine) =>
    (row: Row): Engine | null => {
      const engine = find(row);
      return engine && record(engine, metrics);
    };
  return {
    synthesizer: recorded(engines.synthesizer, measuredSynthesizer),
    recognizer: recorded(engines.recognizer, measuredRecognizer),
    languageModel: recorded(engines.languageModel, measuredModel),
    interactiveAgent: recorded(engines.interactiveAgent, measuredModel),
  };
}
