import type { Recognition, SpeechRecognizer } from "./speech-recognizer.ts";

/** A mark of a model or server, never a word: `[BLANK_AUDIO]`, `[Music]`, `<|nospeech|>`. */
const marks = /\[[^\]]{0,60}\]|<\|[^|]{0,40}\|>|[♩-♬]+/gu;

/** A text of nothing but remarks about sounds: `(silence)`, `*coughs*`, `（音乐）`, `【음악】`. */
const remarks = /^(?:\s|[([（【][^)\]）】]{0,60}[)\]）】]|\*[^*]{0,60}\*|[.…,。-])+$/u;

/** The words of a recognized text, without what models write in their place where nobody speaks. */
export function recognizedWords(text: string): string {
  const words = text.replace(marks, " ").replace(/\s+/gu, " ").trim();
  return remarks.test(words) ? "" : words;
}

const withWords = ({ text, locale }: Recognition): Recognition => ({ text: recognizedWords(text), locale });

/** A recognizer whose texts are what somebody said. */
export function wordsOnly(engine: SpeechRecognizer): SpeechRecognizer {
  const { recognizeFile } = engine;
  return {
    ...engine,
    recognize: async (request) => withWords(await engine.recognize(request)),
    ...(recognizeFile && {
      recognizeFile: (request) => recognizeFile.call(engine, request)?.then(withWords) ?? null,
    }),
    close: () => engine.close(),
  };
}
