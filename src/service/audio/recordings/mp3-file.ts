import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { AudioError, type DecodedAudio } from "../decoded-audio.ts";
import { GrowingPcm } from "../growing-pcm.ts";

/** What minimp3's WebAssembly module exports. */
interface Mp3Decoder {
  memory: WebAssembly.Memory;
  decoder_init(): void;
  decoder_set_mp3_data_size(bytes: number): void;
  decoder_mp3_data_offset(): number;
  decoder_seek(sec: number): void;
  decoder_decode(sec: number): void;
  decoder_pcm_data_offset(): number;
  decode_results_sampling_rate(): number;
  decode_results_num_channels(): number;
  decode_results_num_samples(): number;
}

/** How much is decoded at a time, in s: so that a small file that is long costs no memory before it is refused. */
const pieceSec = 5;

let compiled: WebAssembly.Module | undefined;

/** The package's own JavaScript fetches its module over HTTP, so its module is taken as it is. A new instance a file: it keeps state. */
function newDecoder(bytes: Uint8Array): Mp3Decoder {
  compiled ??= new WebAssembly.Module(
    readFileSync(createRequire(import.meta.url).resolve("minimp3-wasm/dist/decoder.opt.wasm")),
  );
  // eslint-disable-next-line no-restricted-syntax -- WebAssembly has no types
  const decoder = new WebAssembly.Instance(compiled, {}).exports as unknown as Mp3Decoder;
  decoder.decoder_init();
  decoder.decoder_set_mp3_data_size(bytes.length);
  new Uint8Array(decoder.memory.buffer, decoder.decoder_mp3_data_offset(), bytes.length).set(bytes);
  decoder.decoder_seek(0);
  return decoder;
}

/** The next piece, mixed into one channel; undefined at the end. */
function nextPiece(decoder: Mp3Decoder): DecodedAudio | undefined {
  decoder.decoder_decode(pieceSec);
  const channels = decoder.decode_results_num_channels();
  const values = decoder.decode_results_num_samples();
  if (values === 0 || channels === 0) return undefined;
  const mixed = new Int16Array(decoder.memory.buffer, decoder.decoder_pcm_data_offset(), values);
  const pcm = new Int16Array(Math.floor(values / channels));
  for (let index = 0; index < pcm.length; index++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) sum += mixed[index * channels + channel]!;
    pcm[index] = Math.round(sum / channels);
  }
  return { pcm, sampleRateHz: decoder.decode_results_sampling_rate() };
}

function decodeAll(bytes: Uint8Array, maxSec: number): DecodedAudio | undefined {
  const decoder = newDecoder(bytes);
  let sampleRateHz = 0;
  let all: GrowingPcm | undefined;
  for (let piece = nextPiece(decoder); piece; piece = nextPiece(decoder)) {
    all ??= new GrowingPcm(piece.sampleRateHz, maxSec);
    if (sampleRateHz !== 0 && piece.sampleRateHz !== sampleRateHz)
      throw new AudioError("unsupported", "The MP3 file changes its sample rate.");
    sampleRateHz = piece.sampleRateHz;
    all.add(piece.pcm);
  }
  return all?.length ? all.audioFrom(0) : undefined;
}

/** Reads an MP3 file. Throws AudioError. */
export function decodeMp3(bytes: Uint8Array, maxSec: number): DecodedAudio {
  let audio: DecodedAudio | undefined;
  try {
    audio = decodeAll(bytes, maxSec);
  } catch (error) {
    if (error instanceof AudioError) throw error;
    throw new AudioError("broken", "The MP3 file cannot be decoded.", { cause: error });
  }
  if (!audio) throw new AudioError("broken", "The MP3 file has no frame that can be decoded.");
  return audio;
}
