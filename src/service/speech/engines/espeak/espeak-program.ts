import { keysOf } from "../../../../protocol/schema/keys-of.ts";
import type { TimedViseme, TimedWord, Viseme } from "../../../../protocol/speech/speech.ts";
import { pathToFileURL } from "node:url";
import type { SpeechManner } from "../../synthesis/speech-samples.ts";
import type { Speech } from "../../speech-synthesizer.ts";

/** Sounds of the International Phonetic Alphabet by mouth shape (the OVR set). */
const ipaOf: Partial<Record<Viseme, string>> = {
  PP: "p b m",
  FF: "f v ɸ β ʋ",
  TH: "θ ð",
  DD: "t d ʈ ɖ c ɟ",
  kk: "k ɡ g ŋ x ɣ χ q h ʔ ʁ ç ɦ",
  CH: "ʃ ʒ tʃ dʒ tɕ dʑ ɕ ʑ ʂ ʐ",
  SS: "s z ts dz",
  nn: "n l ɫ ɲ ʎ ɾ ɴ",
  RR: "r ɹ ɻ ɚ ɝ ɜ",
  aa: "a ɑ ä æ ɐ ʌ ɒ",
  E: "e ɛ ə ø œ",
  ih: "i ɪ j ɨ y ɥ",
  oh: "o ɔ ɤ",
  ou: "u ʊ w ɯ ʉ ɵ",
};

const visemeOf = new Map(
  keysOf(ipaOf).flatMap((viseme) =>
    (ipaOf[viseme] ?? "").split(" ").map((sound): [string, Viseme] => [sound, viseme]),
  ),
);

/** Stress, length, tone and diacritics, which do not change the mouth shape. */
const marks = /[ˈˌːˑ'",\-_^~`|\d\p{M}ʰʲʷˠˤ˞]/gu;

/** The mouth shapes of a sound in IPA, in order. The longest known sounds match first; unknown ones are skipped. */
export function visemesOfIpa(ipa: string): Viseme[] {
  const symbols = Array.from(ipa.normalize("NFD").replace(marks, "").normalize("NFC"));
  const visemes: Viseme[] = [];
  for (let at = 0; at < symbols.length;) {
    const pair = visemeOf.get(symbols.slice(at, at + 2).join(""));
    const viseme = pair ?? visemeOf.get(symbols[at] ?? "");
    if (viseme && visemes.at(-1) !== viseme) visemes.push(viseme);
    at += pair ? 2 : 1;
  }
  return visemes;
}

/** An event that eSpeak NG reports while it speaks. Positions: characters from 1, ms from the first sample. */
interface EspeakEvent {
  type: string;
  text_position: number;
  audio_position: number;
  id?: string | number;
}

/** A word of the message, and where it begins in the text for eSpeak NG (characters from 0). */
interface PlacedWord {
  text: string;
  start: number;
}

interface TimedSound {
  /** The index of its word. */
  word: number;
  visemes: Viseme[];
  start: number;
  end: number;
}

/**
 * Phonemes, each lasting until the next event. A pause has an empty id; an id in brackets switches the language and makes no
 * sound.
 */
function soundsOf(
  events: readonly EspeakEvent[],
  words: readonly PlacedWord[],
  durationMs: number,
): TimedSound[] {
  const sounds: TimedSound[] = [];
  let word = 0;
  const close = (endMs: number): void => {
    const last = sounds.at(-1);
    if (last) last.end = Math.max(last.start, Math.min(endMs, durationMs));
  };
  for (const { type, text_position, audio_position, id } of events) {
    if (type === "word") {
      const next = words.findLastIndex(({ start }) => start <= text_position - 1);
      word = Math.max(word, next);
    }
    if (type !== "phoneme" || typeof id !== "string" || id.startsWith("(")) continue;
    const start = Math.min(audio_position, durationMs);
    close(start);
    sounds.push({ word, visemes: visemesOfIpa(id), start, end: durationMs });
  }
  close(durationMs);
  return sounds;
}

function timedVisemes(sounds: readonly TimedSound[], durationMs: number): TimedViseme[] {
  const visemes: TimedViseme[] = [];
  const push = (viseme: Viseme, start: number, end: number): void => {
    const last = visemes.at(-1);
    if (last?.viseme === viseme) last.end = end;
    else if (end > start) visemes.push({ viseme, start: last?.end ?? start, end });
  };
  if ((sounds[0]?.start ?? durationMs) > 0) push("sil", 0, sounds[0]?.start ?? durationMs);
  for (const { visemes: shapes, start, end } of sounds) {
    const shown: Viseme[] = shapes.length === 0 ? ["sil"] : shapes;
    const share = (end - start) / shown.length;
    shown.forEach((shape, index) => push(shape, start + index * share, start + (index + 1) * share));
  }
  const last = visemes.at(-1);
  if (last) last.end = durationMs;
  return visemes;
}

/** Words and mouth shapes from eSpeak NG's events: every word in order, unspoken words with no duration, shapes without gaps. */
export function espeakTimings(
  events: readonly EspeakEvent[],
  words: readonly PlacedWord[],
  durationMs: number,
): { words: TimedWord[]; visemes: TimedViseme[] } {
  const sounds = soundsOf(events, words, durationMs);
  let at = 0;
  const timed = words.map(({ text }, index) => {
    const own = sounds.filter(({ word, visemes }) => word === index && visemes.length > 0);
    const start = own[0]?.start ?? at;
    at = own.at(-1)?.end ?? at;
    return { text, start, end: at };
  });
  return { words: timed, visemes: timedVisemes(sounds, durationMs) };
}

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
type EspeakProgram = (text: string, voice: string, manner: SpeechManner) => Speech;

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
