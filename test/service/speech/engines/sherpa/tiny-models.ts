import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onnxFile } from "./onnx-file.ts";

/**
 * Models for sherpa-onnx with weights that were chosen by hand, small enough to be written by a test. They really recognize and
 * speak, but only five words.
 */

/** Words of the recognizer with their tone, and the mel filter (of 23, up to 4 kHz) that contains the tone. */
export const tones = [
  { word: "one", hz: 500, filter: 6 },
  { word: "two", hz: 1_000, filter: 11 },
  { word: "three", hz: 2_000, filter: 17 },
  { word: "four", hz: 3_000, filter: 21 },
] as const;

const filters = 23;
const toneRateHz = 8_000;

/** A word's tone, 0.2 s long, between silences. */
export function toneOf(word: string): Int16Array {
  const hz = tones.find((tone) => tone.word === word)!.hz;
  const length = toneRateHz * 0.2;
  return Int16Array.from({ length: length * 2 }, (_, at) => {
    const fade = Math.min(1, (at - length / 2) / 200, (length * 1.5 - at) / 200);
    return fade <= 0 ? 0 : 16_000 * fade * Math.sin((2 * Math.PI * hz * at) / toneRateHz);
  });
}

/** The loudness of each word's filter, and of "nothing", as ONNX nodes from `x` to `y`. */
function toneNodes(features: number) {
  const words = tones.length + 1;
  // A word's probability is the loudness of its filter. "Nothing" has that of a little noise.
  const weights = new Float32Array(features * words);
  tones.forEach(({ filter }, index) => (weights[filter * words + index + 1] = 1));
  return {
    nodes: [
      { operator: "MatMul", inputs: ["x", "weights"], output: "loudness" },
      { operator: "Add", inputs: ["loudness", "nothing"], output: "y" },
    ],
    tensors: [
      { name: "weights", shape: [features, words], values: weights },
      { name: "nothing", shape: [words], values: Float32Array.from([-2, 0, 0, 0, 0]) },
    ],
  };
}

const englishWords: readonly string[] = tones.map(({ word }) => word);

/** Writes the words of the recognizers, one for each tone, with their numbers. */
function writeToneTokens(file: string, words: readonly string[]): string {
  const tokens = ["<eps>", ...words.map((word) => `▁${word}`)];
  writeFileSync(file, tokens.map((token, id) => `${token} ${id}\n`).join(""));
  return file;
}

/** Writes a recognizer of the tdnn kind, which hears these words for the tones. Returns its configuration. */
export function writeToneRecognizer(folder: string, spoken = englishWords): Record<string, unknown> {
  const model = join(folder, "tones.onnx");
  const words = tones.length + 1;
  writeFileSync(
    model,
    onnxFile({
      ...toneNodes(filters),
      inputs: [{ name: "x", type: "float", shape: ["N", "T", filters] }],
      outputs: [{ name: "y", type: "float", shape: ["N", "T", words] }],
      metadata: { model_type: "tdnn", vocab_size: words },
    }),
  );
  const tokens = writeToneTokens(join(folder, "tones.txt"), spoken);
  return {
    featConfig: { sampleRate: toneRateHz, featureDim: filters },
    modelConfig: { tdnn: { model }, tokens, numThreads: 1 },
  };
}

/** How many frames of 10 ms the streaming recognizer hears at once. */
const chunkFrames = 8;

/** The states of a Zipformer with one layer of the smallest size. The recognizer passes them on and does not use them. */
const states = [
  { name: "key", type: "float" as const, shape: [1, 1, 1] },
  { name: "nonlin", type: "float" as const, shape: [1, 1, 1, 3] },
  { name: "value1", type: "float" as const, shape: [1, 1, 1] },
  { name: "value2", type: "float" as const, shape: [1, 1, 1] },
  { name: "conv1", type: "float" as const, shape: [1, 4, 1] },
  { name: "conv2", type: "float" as const, shape: [1, 4, 1] },
  { name: "embed", type: "float" as const, shape: [1, 128, 3, 19] },
  { name: "processed", type: "int64" as const, shape: [1] },
];

/**
 * Writes a streaming recognizer of the Zipformer 2 CTC kind, for the same words. Returns its configuration. With 80 features, it
 * takes what published models take, but does not know the words. `spoken`: the words that it hears for the tones.
 */
export function writeStreamingToneRecognizer(
  folder: string,
  features = filters,
  spoken = englishWords,
): Record<string, unknown> {
  const model = join(folder, "streaming-tones.onnx");
  const { nodes, tensors } = toneNodes(features);
  writeFileSync(
    model,
    onnxFile({
      nodes: [
        ...nodes,
        ...states.map(({ name }) => ({ operator: "Identity", inputs: [name], output: `new_${name}` })),
      ],
      tensors,
      inputs: [{ name: "x", type: "float", shape: [1, chunkFrames, features] }, ...states],
      outputs: [
        { name: "y", type: "float", shape: [1, chunkFrames, tones.length + 1] },
        ...states.map((state) => ({ ...state, name: `new_${state.name}` })),
      ],
      metadata: {
        ...{ model_type: "zipformer2", T: chunkFrames, decode_chunk_len: chunkFrames },
        ...{ encoder_dims: "4", query_head_dims: "1", value_head_dims: "1", num_heads: "1" },
        ...{ num_encoder_layers: "1", cnn_module_kernels: "3", left_context_len: "1" },
      },
    }),
  );
  const tokens = writeToneTokens(join(folder, "streaming-tones.txt"), spoken);
  return {
    featConfig: { sampleRate: toneRateHz, featureDim: features },
    modelConfig: { zipformer2Ctc: { model }, tokens, numThreads: 1 },
  };
}

/** Writes a model with the inputs and outputs of Silero VAD 5, for which any loud sound is speech. Returns its path. */
export function writeLoudnessDetector(folder: string): string {
  const model = join(folder, "silero_vad.onnx");
  const state = { type: "float" as const, shape: [2, 1, 128] };
  writeFileSync(
    model,
    onnxFile({
      nodes: [
        { operator: "ReduceMax", inputs: ["input"], output: "peak", attributes: { keepdims: 1 } },
        { operator: "Mul", inputs: ["peak", "gain"], output: "loud" },
        { operator: "Min", inputs: ["loud", "one"], output: "output" },
        { operator: "Identity", inputs: ["state"], output: "stateN" },
      ],
      tensors: [
        { name: "gain", shape: [1], values: Float32Array.from([10]) },
        { name: "one", shape: [1], values: Float32Array.from([1]) },
      ],
      inputs: [
        { name: "input", type: "float", shape: [1, "N"] },
        { name: "state", ...state },
        { name: "sr", type: "int64", shape: [1] },
      ],
      outputs: [
        { name: "output", type: "float", shape: [1, 1] },
        { name: "stateN", ...state },
      ],
      metadata: {},
    }),
  );
  return model;
}

/** A recording of a word. */
export interface SpokenWord {
  word: string;
  pcm: Int16Array;
}

/**
 * Writes a voice of the VITS kind with one sound for each word, as long as the longest of the recordings. It stretches the
 * sounds by the requested speed. Returns its configuration.
 */
export function writeWordVoice(
  folder: string,
  recordings: readonly SpokenWord[],
  sampleRateHz: number,
): Record<string, unknown> {
  const samples = Math.max(...recordings.map(({ pcm }) => pcm.length));
  const pause = Math.round(sampleRateHz / 10);
  const signs = [".", ",", "!", "?"];
  // Silence first: it is between words. Punctuation is silent, too.
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
