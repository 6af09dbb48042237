import { preSkipOfHead, type OpusTrack } from "./opus-track.ts";

/** Of one logical stream: a file may have several, page by page. */
interface OggPage {
  serial: number;
  /** Whether the first segment continues the last packet of the page before. */
  continues: boolean;
  /** Lengths of the segments; one of less than 255 bytes ends its packet. */
  lacing: Uint8Array;
  body: Uint8Array;
}

/** Pages of a file (RFC 3533, section 6), until it ends or what follows is none. */
function* pagesOf(bytes: Uint8Array): Generator<OggPage> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 27 <= bytes.length && view.getUint32(at) === 0x4f_67_67_53;) {
    const lacing = bytes.subarray(at + 27, at + 27 + bytes[at + 26]!);
    const start = at + 27 + lacing.length;
    const end = start + lacing.reduce((sum, length) => sum + length, 0);
    const continues = (bytes[at + 5]! & 1) !== 0;
    yield { serial: view.getUint32(at + 14), continues, lacing, body: bytes.subarray(start, end) };
    at = end;
  }
}

/** Packets of the stream whose first packet begins with this mark. One that the file's end cuts off is left out. */
function* packetsOf(bytes: Uint8Array, mark: string): Generator<Uint8Array> {
  let serial: number | undefined;
  let parts: Uint8Array[] = [];
  for (const page of pagesOf(bytes)) {
    if (serial === undefined && startsWith(page.body, mark)) serial = page.serial;
    if (page.serial !== serial) continue;
    if (!page.continues) parts = [];
    let at = 0;
    for (const length of page.lacing) {
      if (at + length > page.body.length) return;
      if (length > 0) parts.push(page.body.subarray(at, at + length));
      at += length;
      // A file may have millions of packets without a byte.
      if (length === 255 || parts.length === 0) continue;
      yield Buffer.concat(parts);
      parts = [];
    }
  }
}

function startsWith(bytes: Uint8Array, mark: string): boolean {
  return Buffer.from(bytes.subarray(0, mark.length)).toString("latin1") === mark;
}

function* withoutTags(packets: Iterable<Uint8Array>): Generator<Uint8Array> {
  for (const packet of packets) if (!startsWith(packet, "OpusTags")) yield packet;
}

/** The Opus stream of an Ogg file (RFC 7845); null if it has none. Throws AudioError. */
export function opusOfOgg(bytes: Uint8Array): OpusTrack | null {
  const packets = packetsOf(bytes, "OpusHead");
  const head = packets.next();
  if (head.done) return null;
  return { preSkip: preSkipOfHead(head.value), packets: withoutTags(packets) };
}
