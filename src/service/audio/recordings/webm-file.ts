import { preSkipOfHead, type OpusTrack } from "./opus-track.ts";

/** Elements of Matroska that are read (RFC 9559, section 5). */
const ids = {
  segment: 0x18_53_80_67,
  cluster: 0x1f_43_b6_75,
  tracks: 0x16_54_ae_6b,
  track: 0xae,
  trackNumber: 0xd7,
  codec: 0x86,
  codecPrivate: 0x63_a2,
  blockGroup: 0xa0,
  block: 0xa1,
  simpleBlock: 0xa3,
} as const;

/** What these contain is read as if it came one after another: a recorder does not know their lengths when it writes them. */
const containers: ReadonlySet<number> = new Set([
  ids.segment,
  ids.cluster,
  ids.tracks,
  ids.track,
  ids.blockGroup,
]);

const nothing = new Uint8Array();

interface Element {
  id: number;
  data: Uint8Array;
}

/** A number of variable length (RFC 8794, section 4), with or without the bit that marks its length; null at the end. */
function variableNumber(bytes: Uint8Array, at: number, keepMark: boolean) {
  const length = Math.clz32(bytes[at] ?? 0) - 23;
  if (length > 8 || at + length > bytes.length) return null;
  let value = keepMark ? bytes[at]! : bytes[at]! & (0xff >> length);
  for (let index = 1; index < length; index++) value = value * 256 + bytes[at + index]!;
  return { value, end: at + length };
}

/** All elements, until the file ends. One that the end cuts off is left out. */
function* elementsOf(bytes: Uint8Array): Generator<Element> {
  for (let at = 0; ;) {
    const id = variableNumber(bytes, at, true);
    const length = id && variableNumber(bytes, id.end, false);
    if (!length) return;
    at = length.end;
    if (containers.has(id.value)) {
      yield { id: id.value, data: nothing };
      continue;
    }
    if (at + length.value > bytes.length) return;
    yield { id: id.value, data: bytes.subarray(at, at + length.value) };
    at += length.value;
  }
}

interface WebmTrack {
  number: number;
  codec: string;
  codecPrivate: Uint8Array;
}

function integerOf(data: Uint8Array): number {
  return data.reduce((value, byte) => value * 256 + byte, 0);
}

/** The first track with Opus. */
function opusTrackOf(bytes: Uint8Array): WebmTrack | undefined {
  let track: WebmTrack = { number: 0, codec: "", codecPrivate: nothing };
  for (const { id, data } of elementsOf(bytes)) {
    if (id === ids.track || id === ids.cluster) {
      if (track.codec === "A_OPUS") return track;
      track = { number: 0, codec: "", codecPrivate: nothing };
    }
    if (id === ids.trackNumber) track.number = integerOf(data);
    if (id === ids.codec) track.codec = Buffer.from(data).toString("latin1");
    if (id === ids.codecPrivate) track.codecPrivate = data;
  }
  return track.codec === "A_OPUS" ? track : undefined;
}

/** Packets of a track. Several in one block (lacing) are not written by recorders and not read. */
function* packetsOf(bytes: Uint8Array, trackNumber: number): Generator<Uint8Array> {
  for (const { id, data } of elementsOf(bytes)) {
    if (id !== ids.simpleBlock && id !== ids.block) continue;
    const track = variableNumber(data, 0, false);
    if (track?.value !== trackNumber) continue;
    const laced = (data[track.end + 2]! & 0x06) !== 0;
    if (!laced) yield data.subarray(track.end + 3);
  }
}

/** The Opus track of a WebM file; null if it has none. Throws AudioError. */
export function opusOfWebm(bytes: Uint8Array): OpusTrack | null {
  const track = opusTrackOf(bytes);
  if (!track) return null;
  return { preSkip: preSkipOfHead(track.codecPrivate), packets: packetsOf(bytes, track.number) };
}
