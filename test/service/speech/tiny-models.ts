import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onnxFile } from "./onnx-file.ts";

/**
 * Models of sherpa-onnx whose weights are set by hand, so small that a test writes them: they do truly recognize and speak, if
 * only five words.
 */

/** Words of the recognizer by the tone that it hears them in, and the mel filter (of 23, up to 4 kHz) in which that tone lies. */
export const tones = [
  { word: "one", hz: 500, filter: 6 },
  { word: "two", hz: 1_000, filter: 11 },
  { word: "three", hz: 2_000, filter: 17 },
  { word: "four", hz: 3_000, filter: 21 },
] as const;

const filters = 23;
const toneRateHz = 8_000;

/** A word's tone, 0.2 s long, after and before silence. */
export function toneOf(word: string): Int16Array {
  const hz = tones.find((tone) => tone.word === word)!.hz;
  const length = toneRateHz * 0.2;
  return Int16Array.from({ length: length * 2 }, (_, at) => {
    const fade = Math.min(1, (at - length / 2) / 200, (length * 1.5 - at) / 200);
    return fade <= 0 ? 0 : 16_000 * fade * Math.sin((2 * Math.PI * hz * at) / toneRateHz);
  });
}

/** Writes a recognizer of the tdnn kind; answers with its configuration. */
export function writeToneRecognizer(folder: string): Record<string, unknown> {
  const words = tones.length + 1;
  // Each word is as likely as its filter is loud; "nothing" as if there were a little noise in one.
  const weights = new Float32Array(filters * words);
  tones.forEach(({ filter }, index) => (weights[filter * words + index + 1] = 1));
  const model = join(folder, "tones.onnx");
  writeFileSync(
    model,
    onnxFile({
      nodes: [
        { operator: "MatMul", inputs: ["x", "weights"], output: "loudness" },
        { operator: "Add", inputs: ["loudness", "nothing"], output: "y" },
      ],
      tensors: [
        { name: "weights", shape: [filters, words], values: weights },
        { name: "nothing", shape: [words], values: Float32Array.from([-2, 0, 0, 0, 0]) },
      ],
      inputs: [{ name: "x", type: "float", shape: ["N", "T", filters] }],
      outputs: [{ name: "y", type: "float", shape: ["N", "T", words] }],
      metadata: { model_type: "tdnn", vocab_size: words },
    }),
  );
  const tokens = join(folder, "tones.txt");
  writeFileSync(
    tokens,
    ["<eps>", ...tones.map(({ word }) => `▁${word}`)].map((t, id) => `${t} ${id}\n`).join(""),
  );
  return {
    featConfig: { sampleRate: toneRateHz, featureDim: filters },
    modelConfig: { tdnn: { model }, tokens, numThreads: 1 },
  };
}

/** A recording of a word. */
export interface SpokenWord {
  word: string;
  pcm: Int16Array;
}

/**
 * Writes a voice of the VITS kind that has one sound for each word, as long as the longest of the recordings, and stretches
 * them by the speed that is asked for; answers with its configuration.
 */
export function writeWordVoice(
  folder: string,
  recordings: readonly SpokenWord[],
  sampleRateHz: number,
): Record<string, unknown> {
  const samples = Math.max(...recordings.map(({ pcm }) => pcm.length));
  const pause = Math.round(sampleRateHz / 10);
  const signs = [".", ",", "!", "?"];
  // Silence first: it comes between words; the signs are silent, too.
  const length = samples + pause;
  const sounds = new Float32Array((1 + recordings.length + signs.length) * length);
  recordings.forEach(({ pcm }, index) =>
    sounds.set(
      Float32Array.from(pcm, (sample) => sample / 32_768),
      (index + 1) * length,
    ),
  );
  const model = join(folder, "words.onnx");
  const scalar = (name: string) => ({ name, type: "float" as const, shape: [1] });
  writeFileSync(
    model,
    onnxFile({
      nodes: [
        { operator: "Gather", inputs: ["sounds", "x"], output: "gathered", attributes: { axis: 0 } },
        { operator: "Reshape", inputs: ["gathered", "one_row"], output: "row" },
        { operator: "Concat", inputs: ["ones", "length_scale"], output: "scales", attributes: { axis: 0 } },
        { operator: "Resize", inputs: ["row", "", "scales"], output: "y", attributes: { mode: "linear" } },
      ],
      tensors: [
        { name: "sounds", shape: [sounds.length / length, length], values: sounds },
        { name: "one_row", shape: [3], values: BigInt64Array.from([1n, 1n, -1n]) },
        { name: "ones", shape: [2], values: Float32Array.from([1, 1]) },
      ],
      inputs: [
        { name: "x", type: "int64", shape: [1, "L"] },
        { name: "x_length", type: "int64", shape: [1] },
        scalar("noise_scale"),
        scalar("length_scale"),
        scalar("noise_scale_w"),
      ],
      outputs: [{ name: "y", type: "float", shape: [1, 1, "T"] }],
      metadata: {
        model_type: "vits",
        comment: "words",
        language: "English",
        sample_rate: sampleRateHz,
        add_blank: 0,
        n_speakers: 1,
        punctuation: signs.join(" "),
      },
    }),
  );
  const [tokens, lexicon] = [join(folder, "words.txt"), join(folder, "lexicon.txt")];
  const names = [" ", ...recordings.map(({ word }) => word), ...signs];
  writeFileSync(tokens, names.map((name, id) => `${name} ${id}\n`).join(""));
  writeFileSync(lexicon, recordings.map(({ word }) => `${word} ${word}\n`).join(""));
  return { model: { vits: { model, tokens, lexicon }, numThreads: 1 }, maxNumSentences: 1 };
}
