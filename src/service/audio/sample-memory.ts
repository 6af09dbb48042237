/** The memory of samples, as a list for `postMessage`: it is then moved to the other thread instead of copied. */
export function sampleMemory({ buffer }: Int16Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer ? [buffer] : [];
}
