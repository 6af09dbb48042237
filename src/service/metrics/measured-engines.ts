import type { LanguageModel, ToolServerUse, Turn } from "../language/language-model.ts";
import type { EngineKind, EngineOutcome, ServiceMetrics } from "./metrics.ts";
import type { SessionDependencies } from "../sessions/session-dependencies.ts";
import type {
  RecognitionStream,
  RecognitionStreamRequest,
  SpeechRecognizer,
} from "../speech/speech-recognizer.ts";
import type { SpeechRequest, SpeechSynthesizer } from "../speech/speech-synthesizer.ts";

type SessionEngines = Pick<
  SessionDependencies,
  "synthesizer" | "recognizer" | "languageModel" | "interactiveAgent"
>;

/** Gets each call: how it ended, how long it took, and why it failed. */
interface CallRecorder {
  engineCalled(engine: EngineKind, outcome: EngineOutcome, durationSec: number, failure?: unknown): void;
}

type Metrics = Pick<ServiceMetrics, "engineCalled">;

/** Codes of errors that the input caused, not the engine. */
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
  { engineCalled }: CallRecorder,
  engine: EngineKind,
  signal: AbortSignal | undefined,
  call: () => Promise<Result>,
): Promise<Result> {
  const startedMs = performance.now();
  let outcome: EngineOutcome = "ok";
  let failure: unknown;
  try {
    return await call();
  } catch (error) {
    outcome = outcomeOf(error, signal);
    failure = error;
    throw error;
  } finally {
    engineCalled(engine, outcome, (performance.now() - startedMs) / 1000, failure);
  }
}

function measuredSynthesizer(engine: SpeechSynthesizer, metrics: CallRecorder): SpeechSynthesizer {
  return {
    voices: engine.voices,
    remembers: engine.remembers ?? false,
    ...(engine.prepare && { prepare: (first?: SpeechRequest) => engine.prepare?.(first) }),
    ...(engine.expect && { expect: (text: string) => engine.expect?.(text) }),
    synthesize: (request) => measured(metrics, "tts", request.signal, () => engine.synthesize(request)),
    close: () => engine.close(),
  };
}

/** Of a stream, the time from the end of the speech to the whole text counts. */
function measuredStream(
  stream: RecognitionStream,
  metrics: CallRecorder,
  signal: AbortSignal | undefined,
): RecognitionStream {
  return {
    write: (pcm) => stream.write(pcm),
    end: () => measured(metrics, "stt", signal, () => stream.end()),
  };
}

function measuredRecognizer(engine: SpeechRecognizer, metrics: CallRecorder): SpeechRecognizer {
  const openStream = engine.openStream?.bind(engine);
  return {
    isLocal: engine.isLocal ?? false,
    ...(openStream && {
      openStream: (request: RecognitionStreamRequest) =>
        measuredStream(openStream(request), metrics, request.signal),
    }),
    recognize: (request) => measured(metrics, "stt", request.signal, () => engine.recognize(request)),
    recognizeFile(request) {
      const recognition = engine.recognizeFile?.(request);
      return recognition ? measured(metrics, "stt", request.signal, () => recognition) : null;
    },
    close: () => engine.close(),
  };
}

function measuredModel(
  model: LanguageModel,
  { engineCalled, onToolServer }: CallRecorder & Pick<Turn, "onToolServer">,
): LanguageModel {
  return {
    quotesOnly: model.quotesOnly ?? false,
    takesAttachments: model.takesAttachments,
    ...(model.prepare && { prepare: async (turn: Pick<Turn, "documents">) => model.prepare?.(turn) }),
    async *answer(turn) {
      const startedMs = performance.now();
      // If the reader stops before the end, nobody wanted the rest.
      let outcome: EngineOutcome = "aborted";
      let failure: unknown;
      try {
        let ending: EngineOutcome = "ok";
        const onFault = (fault: Error): void => void (failure = fault);
        for await (const event of model.answer({ ...turn, onFault, onToolServer })) {
          if (event.status === "error") ending = "failed";
          yield event;
        }
        outcome = turn.signal?.aborted ? "aborted" : ending;
      } catch (error) {
        outcome = outcomeOf(error, turn.signal);
        failure = error;
        throw error;
      } finally {
        engineCalled("llm", outcome, (performance.now() - startedMs) / 1000, failure);
      }
    },
  };
}

/** Records what entries' engines did. */
export interface CallNotes {
  /** Records whether a call succeeded, by the entry's kind and id. `failure`: why it failed. */
  noteCall(kind: MeasuredKind, id: string, succeeded: boolean, failure: unknown): void;
  noteToolServer(use: ToolServerUse): void;
}

export type MeasuredKind = "tts_type" | "stt_type" | "llm_type" | "interactive_agent_config";

/**
 * The metrics, which also note the calls of one entry. A call that its caller stopped, or that failed because of its input, says
 * nothing about the engine.
 */
function noting(metrics: Metrics, note: (succeeded: boolean, failure: unknown) => void): CallRecorder {
  return {
    engineCalled(engine, outcome, durationSec, failure) {
      metrics.engineCalled(engine, outcome, durationSec);
      if (outcome === "ok" || outcome === "failed") note(outcome === "ok", failure);
    },
  };
}

/** The engines, with metrics for each call: its outcome and duration. */
export function measuredEngines(
  engines: SessionEngines,
  metrics: Metrics,
  notes?: CallNotes,
): SessionEngines {
  const recorded =
    <Row extends { id: string }, Engine>(
      kind: MeasuredKind,
      find: (row: Row) => Engine | null,
      record: (engine: Engine, recorder: CallRecorder & Pick<Turn, "onToolServer">) => Engine,
    ) =>
    (row: Row): Engine | null => {
      const engine = find(row);
      const own = noting(metrics, (succeeded, failure) => notes?.noteCall(kind, row.id, succeeded, failure));
      return engine && record(engine, { ...own, onToolServer: notes?.noteToolServer });
    };
  return {
    synthesizer: recorded("tts_type", engines.synthesizer, measuredSynthesizer),
    recognizer: recorded("stt_type", engines.recognizer, measuredRecognizer),
    languageModel: recorded("llm_type", engines.languageModel, measuredModel),
    interactiveAgent: recorded("interactive_agent_config", engines.interactiveAgent, measuredModel),
  };
}
