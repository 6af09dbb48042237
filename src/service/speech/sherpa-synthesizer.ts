import { speechTextMaxLength } from "../../protocol/speech.ts";
import type { AudioDesk } from "./audio-desk.ts";
import type { SherpaSettings } from "./engine-settings.ts";
import type { SherpaModule, SherpaVoice } from "./sherpa-module.ts";
import { SpeechError } from "./speech-error.ts";
import type { Speech, SpeechSynthesizer } from "./speech-synthesizer.ts";

function toPcm(samples: Float32Array): Int16Array {
  return Int16Array.from(samples, (value) => Math.round(Math.max(-1, Math.min(1, value)) * 32_767));
}

/** Speaks with a model of sherpa-onnx, which is loaded with the first request. Timings are found by the text. */
export function createSherpaSynthesizer(
  module: SherpaModule,
  settings: SherpaSettings,
  audio: AudioDesk,
): SpeechSynthesizer {
  let loading: Promise<SherpaVoice> | undefined;
  const loaded = (): Promise<SherpaVoice> =>
    (loading ??= module.OfflineTts.createAsync(settings.config).catch((error: unknown) => {
      // The next request tries again.
      loading = undefined;
      throw error;
    }));

  async function spoken(text: string, signal?: AbortSignal): Promise<Speech> {
    const voice = await loaded();
    const generated = await voice.generateAsync({ text, sid: settings.speaker, speed: settings.speed });
    const decoded = { pcm: toPcm(generated.samples), sampleRateHz: generated.sampleRate };
    return { ...decoded, ...(await audio.align({ ...decoded, text }, signal)) };
  }

  return {
    voices: [],
    async synthesize({ text, signal }) {
      signal?.throwIfAborted();
      if (text.length > speechTextMaxLength) throw SpeechError.tooLong(text.length, speechTextMaxLength);
      return spoken(text, signal).catch((error: unknown) => {
        signal?.throwIfAborted();
        throw SpeechError.engineFailed("The speech engine could not be used.", error);
      });
    },
    close: () => Promise.resolve(),
  };
}
