import type { SherpaSettings } from "./engine-settings.ts";
import type { SherpaModule, SherpaRecognizer } from "./sherpa-module.ts";
import type { SpeechRecognizer } from "./speech-recognizer.ts";

/** Writes down speech with a model of sherpa-onnx, which is loaded with the first request. */
export function createSherpaRecognizer(module: SherpaModule, settings: SherpaSettings): SpeechRecognizer {
  let loading: Promise<SherpaRecognizer> | undefined;
  const loaded = (): Promise<SherpaRecognizer> =>
    (loading ??= module.OfflineRecognizer.createAsync(settings.config).catch((error: unknown) => {
      // The next request tries again.
      loading = undefined;
      throw error;
    }));
  return {
    async recognize({ pcm, sampleRateHz, signal }) {
      signal?.throwIfAborted();
      const recognizer = await loaded();
      const stream = recognizer.createStream();
      stream.acceptWaveform({
        samples: Float32Array.from(pcm, (sample) => sample / 32_768),
        sampleRate: sampleRateHz,
      });
      const { text, lang } = await recognizer.decodeAsync(stream);
      signal?.throwIfAborted();
      const heardIn = typeof lang === "string" && lang !== "" ? lang.replace(/[^A-Za-z-]/g, "") : null;
      return { text: typeof text === "string" ? text.trim() : "", locale: settings.locale ?? heardIn };
    },
    close: () => Promise.resolve(),
  };
}
