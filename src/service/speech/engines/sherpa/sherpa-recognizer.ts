import type { SherpaSettings } from "./sherpa-settings.ts";
import { modelProcess, type SherpaProgram } from "./sherpa-program.ts";
import { readableText } from "./readable-text.ts";
import { SherpaStream } from "./sherpa-stream.ts";
import type { RecognitionStreamRequest, SpeechRecognizer } from "../../speech-recognizer.ts";

/** Recognizes whole recordings with a model of sherpa-onnx, which is loaded at the first request. */
function recordingRecognizer(program: SherpaProgram, settings: SherpaSettings): SpeechRecognizer {
  const model = modelProcess(program, settings);
  return {
    isLocal: true,
    async recognize({ pcm, sampleRateHz, session, signal }) {
      const outcome = await model.run({ kind: "recognize", pcm, sampleRateHz }, { session, signal });
      if (outcome.kind !== "recognized")
        throw new Error(
          outcome.kind === "failed" ? outcome.detail : "The model gave an answer of another kind.",
        );
      const { text, language } = outcome;
      const heardIn = language.replace(/[^A-Za-z-]/g, "");
      return { text: readableText(text), locale: settings.locale ?? (heardIn === "" ? null : heardIn) };
    },
    close: () => model.close(),
  };
}

/** Recognizes speech while it is spoken, with a streaming model. A whole recording is a stream with one piece. */
function streamingRecognizer(program: SherpaProgram, settings: SherpaSettings): SpeechRecognizer {
  const model = modelProcess(program, settings);
  let streams = 0;
  const openStream = (request: RecognitionStreamRequest) =>
    new SherpaStream({ model, id: ++streams, locale: settings.locale, request });
  return {
    recognize({ pcm, ...request }) {
      const stream = openStream({ ...request, onPartial: () => undefined });
      stream.write(pcm);
      return stream.end();
    },
    openStream,
    close: () => model.close(),
  };
}

/** Recognizes speech with a model of sherpa-onnx, which is loaded at the first request. */
export function createSherpaRecognizer(program: SherpaProgram, settings: SherpaSettings): SpeechRecognizer {
  return settings.streaming ? streamingRecognizer(program, settings) : recordingRecognizer(program, settings);
}
