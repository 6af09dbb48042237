import { pathToFileURL } from "node:url";
import { espeakTimings, type EspeakEvent, type PlacedWord } from "./espeak-timings.ts";
import type { SpeechManner } from "../../synthesis/speech-manner.ts";
import type { Speech } from "../../speech-synthesizer.ts";

/** The used part of @echogarden/espeak-ng-emscripten. */
interface EspeakWorker {
  get_samplerate(): number;
  /** Words a minute. */
  set_rate(wordsPerMinute: number): void;
  /** 0 to 99; 50 is the voice's own. */
  set_pitch(pitch: number): void;
  /** Returns 0 if the voice exists. */
  set_voice(voice: string): number;
  synthesize(text: string, onPiece: (pcm: Int16Array | null, events: EspeakEvent[] | null) => void): void;
}

interface EspeakModule {
  default(options?: {
    print?: () => void;
    printErr?: () => void;
  }): Promise<{ eSpeakNGWorker: new () => EspeakWorker }>;
}

/** Speaks one utterance at a time. Throws when the voice does not exist. */
export type EspeakProgram = (text: string, voice: string, manner: SpeechManner) => Speech;

/** The program's own rate and pitch. */
const usualRate = 175;
const usualPitch = 50;

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** The text as markup for eSpeak NG, and the position of each word in it, counted in whole characters. */
function placedWords(text: string): { escaped: string; words: PlacedWord[] } {
  const words: PlacedWord[] = [];
  let [escaped, length] = ["", 0];
  for (const word of text.split(/\s+/u).filter((piece) => piece !== "")) {
    const safe = word.replace(/[&<>]/g, (sign) => escapes[sign] ?? sign);
    words.push({ text: word, start: length });
    escaped += `${safe} `;
    length += Array.from(safe).length + 1;
  }
  return { escaped: escaped.trimEnd(), words };
}

function joined(pieces: readonly Int16Array[]): Int16Array {
  const pcm = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    pcm.set(piece, at);
    at += piece.length;
  }
  return pcm;
}

/**
 * Starts eSpeak NG (about 0.3 s) from its installed package. It is not a dependency of this package, because its licence is the
 * GPL. `modulePath` is the package's script.
 */
export async function startEspeak(modulePath: string): Promise<EspeakProgram> {
  // eslint-disable-next-line no-restricted-syntax -- the package has no types
  const module = (await import(/* @vite-ignore */ pathToFileURL(modulePath).href)) as EspeakModule;
  const ignore = (): void => undefined;
  const { eSpeakNGWorker } = await module.default({ print: ignore, printErr: ignore });
  const program = new eSpeakNGWorker();
  const sampleRateHz = program.get_samplerate();
  return (text, voice, { rate, pitch }) => {
    if (program.set_voice(voice) !== 0) throw new Error(`eSpeak NG has no voice "${voice}".`);
    program.set_rate(Math.round(usualRate * rate));
    program.set_pitch(Math.round(Math.min(99, usualPitch * pitch)));
    const { escaped, words } = placedWords(text);
    const pieces: Int16Array[] = [];
    const events: EspeakEvent[] = [];
    program.synthesize(escaped, (pcm, told) => {
      // The samples are in the program's memory, which it will overwrite.
      if (pcm) pieces.push(pcm.slice());
      if (told) events.push(...told);
    });
    const pcm = joined(pieces);
    return { sampleRateHz, pcm, ...espeakTimings(events, words, (pcm.length * 1_000) / sampleRateHz) };
  };
}
