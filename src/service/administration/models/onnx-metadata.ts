import { open } from "node:fs/promises";

/** Metadata is at the end of an ONNX file, after the weights. Token lists in it may be long. */
const endBytes = 1024 ** 2;

/** The texts of a model's metadata. */
export interface OnnxMetadata {
  /** The value of a key; null without it. */
  value(key: string): string | null;
}

/** A number of variable length (protobuf) in front of a text, and where the text begins. */
function lengthAt(bytes: Buffer, at: number): { length: number; start: number } | null {
  let length = 0;
  for (let index = 0; index < 4; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) return null;
    length |= (byte & 127) << (7 * index);
    if (byte < 128) return { length, start: at + index + 1 };
  }
  return null;
}

/** A value of StringStringEntryProto (onnx.proto3): field 1 is the key, field 2 the value. */
function valueIn(bytes: Buffer, key: string): string | null {
  const name = Buffer.from(key);
  const entry = Buffer.concat([Buffer.from([0x0a, name.length]), name, Buffer.from([0x12])]);
  const at = bytes.lastIndexOf(entry);
  const found = at < 0 ? null : lengthAt(bytes, at + entry.length);
  if (!found || found.start + found.length > bytes.length) return null;
  return bytes.toString("utf8", found.start, found.start + found.length);
}

/** Reads the metadata of an ONNX file. A file of another format has none. */
export async function readOnnxMetadata(file: string): Promise<OnnxMetadata> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, endBytes);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return { value: (key) => valueIn(buffer, key) };
  } finally {
    await handle.close();
  }
}
