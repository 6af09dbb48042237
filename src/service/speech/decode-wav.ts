/** Reads a mono 16-bit PCM WAV file. Throws RangeError on anything else. */
export function decodeWav(file: Uint8Array): { pcm: Int16Array; sampleRateHz: number } {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const chunks = wavChunks(file, view);
  const format = chunks.get("fmt ");
  const data = chunks.get("data");
  if (!format || !data) throw new RangeError("Not a WAV file: it has no format or no data.");
  const isMono16 =
    view.getUint16(format.at, true) === 1 &&
    view.getUint16(format.at + 2, true) === 1 &&
    view.getUint16(format.at + 14, true) === 16;
  if (!isMono16) throw new RangeError("Not a mono 16-bit PCM WAV file.");
  const pcm = new Int16Array(Math.floor(data.length / 2));
  for (let index = 0; index < pcm.length; index++) pcm[index] = view.getInt16(data.at + index * 2, true);
  return { pcm, sampleRateHz: view.getUint32(format.at + 4, true) };
}

/** Places of the file's chunks; a length beyond the file's end (a header written before its data) is cut to it. */
function wavChunks(file: Uint8Array, view: DataView): Map<string, { at: number; length: number }> {
  const chunks = new Map<string, { at: number; length: number }>();
  for (let at = 12; at + 8 <= file.length;) {
    const name = String.fromCharCode(...file.subarray(at, at + 4));
    const length = Math.min(view.getUint32(at + 4, true), file.length - at - 8);
    chunks.set(name, { at: at + 8, length });
    at += 8 + length + (length % 2);
  }
  return chunks;
}
