import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type OnnxNode, onnxFile, type OnnxModel, type OnnxValue } from "./onnx-file.ts";

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

const node = (
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes?: OnnxNode["attributes"],
): OnnxNode => ({ operator, inputs, output, ...(attributes && { attributes }) });
const float = (name: string, ...shape: OnnxValue["shape"]): OnnxValue => ({ name, type: "float", shape });
const int64 = (name: string, ...shape: OnnxValue["shape"]): OnnxValue => ({ name, type: "int64", shape });
const floats = (name: string, ...values: number[]) => ({
  ...{ name, shape: [values.length], values: Float32Array.from(values) },
});

function writeModel(folder: string, file: string, model: OnnxModel): string {
  const path = join(folder, file);
  writeFileSync(path, onnxFile(model));
  return path;
}

function writeLines(folder: string, file: string, lines: readonly string[]): string {
  const path = join(folder, file);
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
  return path;
}

/** The loudness of each word's filter, and of "nothing", as ONNX nodes from `x` to `y`. */
function toneNodes(features: number): Pick<OnnxModel, "nodes" | "tensors"> {
  const words = tones.length + 1;
  // A word's probability is the loudness of its filter. "Nothing" has that of a little noise.
  const values = new Float32Array(features * words);
  tones.forEach(({ filter }, index) => (values[filter * words + index + 1] = 1));
  return {
    nodes: [node("MatMul", ["x", "weights"], "loudness"), node("Add", ["loudness", "nothing"], "y")],
    tensors: [{ name: "weights", shape: [features, words], values }, floats("nothing", -2, 0, 0, 0, 0)],
  };
}

const englishWords: readonly string[] = tones.map(({ word }) => word);

/** The settings of a recognizer, with the words that it hears for the tones. */
function toneConfig(
  tokens: [folder: string, file: string],
  features: number,
  spoken: readonly string[],
  model: object,
) {
  const lines = ["<eps>", ...spoken.map((word) => `▁${word}`)].map((token, id) => `${token} ${id}`);
  return {
    featConfig: { sampleRate: toneRateHz, featureDim: features },
    modelConfig: { ...model, tokens: writeLines(...tokens, lines), numThreads: 1 },
  };
}

/** Writes a recognizer of the tdnn kind, which hears these words for the tones. Returns its configuration. */
export function writeToneRecognizer(folder: string, spoken = englishWords): Record<string, unknown> {
  const words = tones.length + 1;
  const model = writeModel(folder, "tones.onnx", {
    ...toneNodes(filters),
    inputs: [float("x", "N", "T", filters)],
    outputs: [float("y", "N", "T", words)],
    metadata: { model_type: "tdnn", vocab_size: words },
  });
  return toneConfig([folder, "tones.txt"], filters, spoken, { tdnn: { model } });
}

/** How many frames of 10 ms the streaming recognizer hears at once. */
const chunkFrames = 8;

/** The states of a Zipformer with one layer of the smallest size. The recognizer passes them on and does not use them. */
const states = (prefix = ""): OnnxValue[] => [
  float(`${prefix}key`, 1, 1, 1),
  float(`${prefix}nonlin`, 1, 1, 1, 3),
  float(`${prefix}value1`, 1, 1, 1),
  float(`${prefix}value2`, 1, 1, 1),
  float(`${prefix}conv1`, 1, 4, 1),
  float(`${prefix}conv2`, 1, 4, 1),
  float(`${prefix}embed`, 1, 128, 3, 19),
  int64(`${prefix}processed`, 1),
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
  const { nodes, tensors } = toneNodes(features);
  const model = writeModel(folder, "streaming-tones.onnx", {
    nodes: [...nodes, ...states().map(({ name }) => node("Identity", [name], `new_${name}`))],
    tensors,
    inputs: [float("x", 1, chunkFrames, features), ...states()],
    outputs: [float("y", 1, chunkFrames, tones.length + 1), ...states("new_")],
    metadata: {
      ...{ model_type: "zipformer2", T: chunkFrames, decode_chunk_len: chunkFrames },
      ...{ encoder_dims: "4", query_head_dims: "1", value_head_dims: "1", num_heads: "1" },
      ...{ num_encoder_layers: "1", cnn_module_kernels: "3", left_context_len: "1" },
    },
  });
  return toneConfig([folder, "streaming-tones.txt"], features, spoken, { zipformer2Ctc: { model } });
}

/** Writes a model with the inputs and outputs of Silero VAD 5, for which any loud sound is speech. Returns its path. */
export function writeLoudnessDetector(folder: string): string {
  return writeModel(folder, "silero_vad.onnx", {
    nodes: [
      node("ReduceMax", ["input"], "peak", { keepdims: 1 }),
      node("Mul", ["peak", "gain"], "loud"),
      node("Min", ["loud", "one"], "output"),
      node("Identity", ["state"], "stateN"),
    ],
    tensors: [floats("gain", 10), floats("one", 1)],
    inputs: [float("input", 1, "N"), float("state", 2, 1, 128), int64("sr", 1)],
    outputs: [float("output", 1, 1), float("stateN", 2, 1, 128)],
    metadata: {},
  });
}

/**
 * Writes a voice of the VITS kind with one sound for each word, as long as the longest of the recordings. It stretches the
 * sounds by the requested speed. Returns its configuration.
 */
export function writeWordVoice(
  folder: string,
  recordings: readonly { word: string; pcm: Int16Array }[],
  sampleRateHz: number,
): Record<string, unknown> {
  const signs = [".", ",", "!", "?"];
  const names = [" ", ...recordings.map(({ word }) => word), ...signs];
  // Silence first: it is between words. Punctuation is silent, too.
  const length = Math.max(...recordings.map(({ pcm }) => pcm.length)) + Math.round(sampleRateHz / 10);
  const sounds = new Float32Array(names.length * length);
  for (const [index, { pcm }] of recordings.entries())
    sounds.set(
      Float32Array.from(pcm, (sample) => sample / 32_768),
      (index + 1) * length,
    );
  const model = writeModel(folder, "words.onnx", {
    nodes: [
      node("Gather", ["sounds", "x"], "gathered", { axis: 0 }),
      node("Reshape", ["gathered", "one_row"], "row"),
      node("Concat", ["ones", "length_scale"], "scales", { axis: 0 }),
      node("Resize", ["row", "", "scales"], "y", { mode: "linear" }),
    ],
    tensors: [
      { name: "sounds", shape: [names.length, length], values: sounds },
      { name: "one_row", shape: [3], values: BigInt64Array.from([1n, 1n, -1n]) },
      floats("ones", 1, 1),
    ],
    inputs: [
      ...[int64("x", 1, "L"), int64("x_length", 1)],
      ...["noise_scale", "length_scale", "noise_scale_w"].map((name) => float(name, 1)),
    ],
    outputs: [float("y", 1, 1, "T")],
    metadata: {
      ...{ model_type: "vits", comment: "words", language: "English", sample_rate: sampleRateHz },
      ...{ add_blank: 0, n_speakers: 1, punctuation: signs.join(" ") },
    },
  });
  const tokens = writeLines(
    folder,
    "words.txt",
    names.map((name, id) => `${name} ${id}`),
  );
  const lexicon = writeLines(
    folder,
    "lexicon.txt",
    recordings.map(({ word }) => `${word} ${word}`),
  );
  return { model: { vits: { model, tokens, lexicon }, numThreads: 1 }, maxNumSentences: 1 };
}
