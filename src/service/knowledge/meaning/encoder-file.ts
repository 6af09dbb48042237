import * as z from "zod";

/*
 * The file of a sentence encoder: the length of a header, the header as JSON, then what the encoder has in memory. All places are
 * byte offsets in that memory.
 */

const matrixSchema = z.object({
  width: z.int(),
  columns: z.int(),
  weights: z.int(),
  scales: z.int(),
  bias: z.int(),
});
/** A matrix of bytes, in tiles of eight columns, with a scale and a bias for each column. */
export type Matrix = z.infer<typeof matrixSchema>;

const normSchema = z.object({ scale: z.int(), bias: z.int() });
/** Where the scales and biases of a normalization are, one of each for each value of a row. */
export type Norm = z.infer<typeof normSchema>;

const layerSchema = z.object({
  /** Brings what the layer gets to the width of what it gives. */
  widening: matrixSchema.nullable(),
  attentionNorm: normSchema,
  /** Queries, keys and values. */
  attention: matrixSchema,
  attended: matrixSchema,
  feedNorm: normSchema,
  feed: matrixSchema,
  fed: matrixSchema,
});
export type Layer = z.infer<typeof layerSchema>;

export const encoderHeaderSchema = z.object({
  bytes: z.int(),
  /** One row of bytes for each piece of a word, and its scale. */
  embeddings: z.object({ weights: z.int(), scales: z.int() }),
  /** The waves that tell the place of a piece. */
  waves: z.int(),
  layers: z.array(layerSchema),
  last: matrixSchema,
  /** The pieces of words with their scores, in the order of the embeddings. */
  pieces: z.array(z.tuple([z.string(), z.number()])),
});
/** Where everything is in a file of an encoder. */
export type EncoderHeader = z.infer<typeof encoderHeaderSchema>;

const lengthBytes = 4;

/** The bytes of a file. */
export function writeEncoderFile(header: EncoderHeader, memory: Uint8Array): Buffer {
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text, memory]);
}

/** Throws ZodError where the file is not one of an encoder. */
export function readEncoderFile(file: Buffer): { header: EncoderHeader; memory: Uint8Array } {
  const end = lengthBytes + file.readUInt32LE();
  const header = encoderHeaderSchema.parse(JSON.parse(file.toString("utf8", lengthBytes, end)));
  return { header, memory: file.subarray(end) };
}
