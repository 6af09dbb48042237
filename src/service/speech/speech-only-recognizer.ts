import type { Logger } from "../../logging/logger.ts";
import type { Recognition, RecognitionRequest, SpeechRecognizer } from "./speech-recognizer.ts";
import type { SpeechSpan, VoiceActivity } from "./voice-activity.ts";

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
