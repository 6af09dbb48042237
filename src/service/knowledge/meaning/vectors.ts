/** What a sentence means to an encoder, as bytes: a vector of length 1, times `vectorScale`. */
export type Vector = Int8Array;

/** Encodes sentences; one vector for each, in order. */
export type EncodeSentences = (texts: readonly string[]) => Promise<readonly Vector[]>;

/** The largest numbers of a vector of 512 are a quarter of its length. */
const vectorScale = 512;
const largest = 127;

/** A vector of length 1 as bytes, a quarter of its size. */
export function asBytes(vector: Float32Array): Vector {
  return Int8Array.from(vector, (value) =>
    Math.max(-largest, Math.min(largest, Math.round(value * vectorScale))),
  );
}

/** How much two sentences mean the same: the cosine of their vectors, -1 to 1. */
export function cosine(one: Vector, other: Vector): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum / (vectorScale * vectorScale);
}
