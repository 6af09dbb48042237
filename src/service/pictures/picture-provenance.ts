import { crc32 } from "node:zlib";

/**
 * What a picture's metadata says about where it comes from (XMP): it shows a person, and parts of it are made. Image searches and
 * checkers of sources read this field (IPTC, Digital Source Type).
 */
const xmp = new TextEncoder().encode(
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    '<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" ' +
    'Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/compositeSynthetic"/>' +
    "</rdf:RDF></x:xmpmeta>",
);

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const nameAt = (bytes: Uint8Array, at: number): string =>
  Buffer.from(bytes.subarray(at, at + 4)).toString("latin1");

/** A chunk of RIFF: its name, its length, its content, and a byte that makes the length even. */
function riffChunk(name: string, content: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([ascii(name), length, content, new Uint8Array(content.length % 2)]);
}

interface Chunk {
  readonly name: string;
  readonly content: Uint8Array;
}

/** The chunks of a WebP file; null where it is damaged. */
function riffChunks(bytes: Uint8Array): Chunk[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Chunk[] = [];
  for (let at = 12; at + 8 <= bytes.length;) {
    const length = view.getUint32(at + 4, true);
    if (at + 8 + length > bytes.length) return null;
    chunks.push({ name: nameAt(bytes, at), content: bytes.subarray(at + 8, at + 8 + length) });
    at += 8 + length + (length % 2);
  }
  return chunks;
}

/** Bits of the header of an extended WebP file. */
const flags = { colours: 0x20, alpha: 0x10, xmp: 0x04 } as const;

/** The header of an extended WebP file (RFC 9649, 2.7): what is in it, and its size. */
function extendedHeader({ name, content }: Chunk): Uint8Array | null {
  const header = Buffer.alloc(10);
  if (name === "VP8X" && content.length === 10) {
    header.set(content);
    header[0] = ((content[0] ?? 0) & (flags.colours | flags.alpha)) | flags.xmp;
    return header;
  }
  const view = Buffer.from(content);
  if (name === "VP8 " && content.length >= 10) {
    header[0] = flags.xmp;
    header.writeUIntLE((view.readUInt16LE(6) & 0x3fff) - 1, 4, 3);
    header.writeUIntLE((view.readUInt16LE(8) & 0x3fff) - 1, 7, 3);
    return header;
  }
  if (name !== "VP8L" || content.length < 5) return null;
  const bits = view.readUInt32LE(1);
  header[0] = flags.xmp | ((bits >>> 28) & 1 ? flags.alpha : 0);
  header.writeUIntLE(bits & 0x3fff, 4, 3);
  header.writeUIntLE((bits >>> 14) & 0x3fff, 7, 3);
  return header;
}

/** What a file keeps: its pixels, without the metadata that somebody else has put in. */
const isPicture = ({ name }: Chunk): boolean => ["VP8 ", "VP8L", "ALPH", "ICCP"].includes(name);

function webpWithProvenance(bytes: Uint8Array): Uint8Array | null {
  const chunks = riffChunks(bytes);
  const [first] = chunks ?? [];
  const header = first ? extendedHeader(first) : null;
  if (!chunks || !header) return null;
  const body = Buffer.concat([
    ascii("WEBP"),
    riffChunk("VP8X", header),
    ...chunks.filter(isPicture).map(({ name, content }) => riffChunk(name, content)),
    riffChunk("XMP ", xmp),
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([ascii("RIFF"), length, body]);
}

/** The signature of a PNG file and its header. */
const pngBeginning = 8 + 25;

function pngWithProvenance(bytes: Uint8Array): Uint8Array | null {
  if (bytes.length < pngBeginning) return null;
  const content = Buffer.concat([ascii("iTXtXML:com.adobe.xmp\0\0\0\0\0"), xmp]);
  const chunk = Buffer.alloc(content.length + 8);
  chunk.writeUInt32BE(content.length - 4, 0);
  chunk.set(content, 4);
  chunk.writeUInt32BE(crc32(content), content.length + 4);
  return Buffer.concat([bytes.subarray(0, pngBeginning), chunk, bytes.subarray(pngBeginning)]);
}

/** A still picture of a photo character, not an animation, whose metadata says where it comes from. A damaged one is returned as it is. */
export function withProvenance(bytes: Uint8Array): Uint8Array {
  const changed = nameAt(bytes, 0) === "RIFF" ? webpWithProvenance(bytes) : pngWithProvenance(bytes);
  return changed ?? bytes;
}
