import { readEncoderFile, type EncoderHeader, type Layer, type Matrix, type Norm } from "./encoder-file.ts";
import { kernelModule } from "./kernel-module.ts";
import { wordPieces, type WordPieces } from "./word-pieces.ts";

/*
 * The Universal Sentence Encoder, lite (Cer et al., 2018): a transformer of two layers. Its weights are bytes, which changes the cosine of
 * two sentences in the fourth digit.
 */

/** The function of `webassembly/encoder`. */
interface EncoderKernel {
  multiply(
    ...args: [
      out: number,
      inputs: number,
      rows: number,
      width: number,
      weights: number,
      scales: number,
      bias: number,
      columns: number,
    ]
  ): void;
}

/** How many numbers a vector has. */
export const vectorLength = 512;
/** Pieces of words that are read, and the characters that they are looked for in; the rest of a text is left out. */
const maxPieces = 96;
const maxCharacters = 16 * maxPieces;
const embeddingLength = 256;
const heads = 4;
const widest = 1536;
const epsilon = 1e-6;
const pageBytes = 65_536;
const floatBytes = Float32Array.BYTES_PER_ELEMENT;

/** Encodes sentences as vectors of length 1: the more two mean the same, the greater their product. */
export class SentenceEncoder {
  readonly #header: EncoderHeader;
  readonly #pieces: WordPieces;
  readonly #memory: WebAssembly.Memory;
  readonly #kernel: EncoderKernel;
  readonly #inputsAt: number;
  readonly #outputsAt: number;

  /** Takes the bytes of an encoder's file. */
  constructor(file: Buffer) {
    const { header, memory } = readEncoderFile(file);
    this.#header = header;
    this.#pieces = wordPieces(header.pieces);
    const rowsBytes = maxPieces * widest * floatBytes;
    this.#inputsAt = Math.ceil(memory.length / 16) * 16;
    this.#outputsAt = this.#inputsAt + rowsBytes;
    const pages = Math.ceil((this.#outputsAt + rowsBytes) / pageBytes);
    this.#memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    new Uint8Array(this.#memory.buffer).set(memory);
    const module = new WebAssembly.Module(Buffer.from(kernelModule, "base64"));
    const instance = new WebAssembly.Instance(module, { env: { memory: this.#memory } });
    // eslint-disable-next-line no-restricted-syntax -- WebAssembly has no types
    this.#kernel = instance.exports as unknown as EncoderKernel;
  }

  /** The vector of a sentence. Letters in upper and lower case are the same. */
  encode(text: string): Float32Array {
    const pieces = this.#pieces(text.slice(0, maxCharacters).toLowerCase()).slice(0, maxPieces);
    const count = pieces.length;
    let rows = this.#embedded(pieces);
    for (const layer of this.#header.layers) rows = this.#passed(rows, count, layer);
    const mean = new Float32Array(vectorLength);
    for (const [at, value] of rows.entries())
      mean[at % vectorLength] = (mean[at % vectorLength] ?? 0) + value / count;
    const vector = this.#multiplied(mean, 1, this.#header.last).map(Math.tanh);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  }

  #floats(at: number, length: number): Float32Array {
    return new Float32Array(this.#memory.buffer, at, length);
  }

  #embedded(pieces: readonly number[]): Float32Array {
    const { embeddings, waves } = this.#header;
    const frequencies = this.#floats(waves, embeddingLength / 2);
    const scales = this.#floats(embeddings.scales, this.#header.pieces.length);
    const rows = new Float32Array(pieces.length * embeddingLength);
    for (const [place, id] of pieces.entries()) {
      const weights = new Int8Array(
        this.#memory.buffer,
        embeddings.weights + id * embeddingLength,
        embeddingLength,
      );
      // The model has its embeddings at half their size.
      const scale = 2 * (scales[id] ?? 0);
      for (const [at, weight] of weights.entries()) {
        const angle = place * (frequencies[at % frequencies.length] ?? 0);
        const wave = at < frequencies.length ? Math.sin(angle) : Math.cos(angle);
        rows[place * embeddingLength + at] = scale * weight + wave;
      }
    }
    return rows;
  }

  #passed(rows: Float32Array, count: number, layer: Layer): Float32Array {
    const width = rows.length / count;
    const parts = this.#multiplied(this.#normed(rows, width, layer.attentionNorm), count, layer.attention);
    const attended = this.#multiplied(attend(parts, count, width), count, layer.attended);
    add(attended, layer.widening ? this.#multiplied(rows, count, layer.widening) : rows);
    const feed = this.#multiplied(
      this.#normed(attended, vectorLength, layer.feedNorm),
      count,
      layer.feed,
    ).map((value) => Math.max(0, value));
    const fed = this.#multiplied(feed, count, layer.fed);
    add(fed, attended);
    return fed;
  }

  #multiplied(rows: Float32Array, count: number, matrix: Matrix): Float32Array {
    const { width, columns, weights, scales, bias } = matrix;
    this.#floats(this.#inputsAt, rows.length).set(rows);
    this.#kernel.multiply(this.#outputsAt, this.#inputsAt, count, width, weights, scales, bias, columns);
    return this.#floats(this.#outputsAt, count * columns).slice();
  }

  /** Rows with mean 0 and variance 1, scaled and moved as the model has learned it. */
  #normed(rows: Float32Array, width: number, { scale, bias }: Norm): Float32Array {
    const scales = this.#floats(scale, width);
    const biases = this.#floats(bias, width);
    const out = new Float32Array(rows.length);
    for (let start = 0; start < rows.length; start += width) {
      let sum = 0;
      for (let at = start; at < start + width; at += 1) sum += rows[at] ?? 0;
      const mean = sum / width;
      let squares = 0;
      for (let at = start; at < start + width; at += 1) squares += ((rows[at] ?? 0) - mean) ** 2;
      const factor = 1 / Math.sqrt(squares / width + epsilon);
      for (let at = 0; at < width; at += 1)
        out[start + at] = (scales[at] ?? 0) * factor * ((rows[start + at] ?? 0) - mean) + (biases[at] ?? 0);
    }
    return out;
  }
}

function add(rows: Float32Array, more: Float32Array): void {
  for (let at = 0; at < rows.length; at += 1) rows[at] = (rows[at] ?? 0) + (more[at] ?? 0);
}

/** What each piece takes of the values of all, by how well its query fits their keys. `parts`: rows of queries, keys and values. */
function attend(parts: Float32Array, count: number, width: number): Float32Array {
  const size = width / heads;
  const rowLength = 3 * width;
  const out = new Float32Array(count * width);
  const shares = new Float32Array(count);
  for (let head = 0; head < width; head += size)
    for (let piece = 0; piece < count; piece += 1) {
      const query = piece * rowLength + head;
      let total = 0;
      for (let other = 0; other < count; other += 1) {
        const key = other * rowLength + width + head;
        let product = 0;
        for (let at = 0; at < size; at += 1) product += (parts[query + at] ?? 0) * (parts[key + at] ?? 0);
        const share = Math.exp(product / Math.sqrt(size));
        shares[other] = share;
        total += share;
      }
      for (let other = 0; other < count; other += 1) {
        const share = (shares[other] ?? 0) / total;
        const value = other * rowLength + 2 * width + head;
        for (let at = 0; at < size; at += 1) {
          const place = piece * width + head + at;
          out[place] = (out[place] ?? 0) + share * (parts[value + at] ?? 0);
        }
      }
    }
  return out;
}
