import { type OpusTrack, preSkipOfBox } from "./opus-track.ts";

/** A box of MP4 (ISO/IEC 14496-12, section 4.2). */
interface Mp4Box {
  type: string;
  /** Its content; nothing for a box whose boxes follow. */
  data: DataView;
  /** Where it begins in the file. */
  at: number;
}

/** What these contain is read as if it came one after another. */
const containers: ReadonlySet<string> = new Set([
  "moov",
  "trak",
  "mdia",
  "minf",
  "stbl",
  "mvex",
  "moof",
  "traf",
]);

/** All boxes, until the file ends. One that the end cuts off is left out. */
function* mp4Boxes(bytes: Uint8Array): Generator<Mp4Box> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 8 <= bytes.length;) {
    const type = Buffer.from(bytes.subarray(at + 4, at + 8)).toString("latin1");
    let [length, head] = [view.getUint32(at), 8];
    if (length === 0) length = bytes.length - at;
    if (length === 1 && at + 16 <= bytes.length) [length, head] = [Number(view.getBigUint64(at + 8)), 16];
    const inside = containers.has(type);
    if (length < head || (!inside && at + length > bytes.length)) return;
    const size = inside ? 0 : length - head;
    yield { type, data: new DataView(bytes.buffer, bytes.byteOffset + at + head, size), at };
    at += inside ? head : length;
  }
}

/** Where a fragment's data is, and how long its packets are if they do not say so themselves. */
interface Fragment {
  trackId: number;
  base: number;
  size: number;
}

/** Reads the optional 32-bit fields of a box one after another; past its end they are 0. */
function fieldsOf(data: DataView, start: number) {
  let at = start;
  return {
    next(isPresent: boolean, bytes = 4): number {
      if (!isPresent) return 0;
      at += bytes;
      return at <= data.byteLength ? data.getUint32(at - 4) : 0;
    },
  };
}

/** The box `tfhd` (ISO/IEC 14496-12, section 8.8.7). */
function fragmentOf(data: DataView, movie: number, defaultSize: number): Fragment {
  const fields = fieldsOf(data, 4);
  const flags = data.byteLength >= 4 ? data.getUint32(0) : 0;
  const trackId = fields.next(true);
  // Files are smaller than 4 GB: the lower half of 64 bits is the offset.
  const base = flags & 0x1 ? fields.next(true, 8) : movie;
  fields.next((flags & 0x2) !== 0);
  fields.next((flags & 0x8) !== 0);
  const size = flags & 0x10 ? fields.next(true) : defaultSize;
  return { trackId, base, size };
}

/** Packets of one box `trun` (section 8.8.8). A packet without bytes ends them: of such there could be billions. */
function* runPackets(bytes: Uint8Array, { data }: Mp4Box, fragment: Fragment): Generator<Uint8Array> {
  if (data.byteLength < 8) return;
  const flags = data.getUint32(0);
  const fields = fieldsOf(data, 4);
  const count = fields.next(true);
  let at = fragment.base + fields.next((flags & 0x1) !== 0);
  fields.next((flags & 0x4) !== 0);
  for (let packet = 0; packet < count; packet++) {
    fields.next((flags & 0x100) !== 0);
    const size = flags & 0x200 ? fields.next(true) : fragment.size;
    fields.next((flags & 0x400) !== 0);
    fields.next((flags & 0x800) !== 0);
    if (size === 0 || at + size > bytes.length) return;
    yield bytes.subarray(at, at + size);
    at += size;
  }
  fragment.base = at;
}

/** Packets of a track in fragments, which is how recorders write MP4: they do not know its length when they begin. */
function* fragmentPackets(bytes: Uint8Array, trackId: number): Generator<Uint8Array> {
  let [movie, defaultSize] = [0, 0];
  let fragment: Fragment | undefined;
  for (const box of mp4Boxes(bytes)) {
    const { type, data } = box;
    if (type === "trex" && data.byteLength >= 24 && data.getUint32(4) === trackId)
      defaultSize = data.getUint32(16);
    if (type === "moof") movie = box.at;
    if (type === "traf") fragment = undefined;
    if (type === "tfhd") fragment = fragmentOf(data, movie, defaultSize);
    if (type === "trun" && fragment?.trackId === trackId) yield* runPackets(bytes, box, fragment);
  }
}

/** What `moov` says of a track: those of its boxes that are read, by type. */
interface Mp4Track {
  id: number;
  boxes: Map<string, DataView>;
}

/** A file may have any number of others. */
const readTypes: ReadonlySet<string> = new Set(["stsd", "stsz", "stsc", "stco"]);

/** The tracks of a file, one after another: it may have millions. */
function* tracksOf(bytes: Uint8Array): Generator<Mp4Track> {
  let track: Mp4Track | undefined;
  for (const { type, data } of mp4Boxes(bytes)) {
    if (type === "moof") break;
    if (type === "trak") {
      if (track) yield track;
      track = { id: 0, boxes: new Map() };
    }
    if (readTypes.has(type)) track?.boxes.set(type, data);
    if (type === "tkhd" && track && data.byteLength >= 24)
      track.id = data.getUint32(data.getUint8(0) === 1 ? 20 : 12);
  }
  if (track) yield track;
}

/** The box `dOps` of a track's first sample entry; undefined if it is not Opus. */
function opusBoxOf({ boxes }: Mp4Track): Uint8Array | undefined {
  const entries = boxes.get("stsd");
  if (!entries || entries.byteLength < 44 || entries.getUint32(12) !== 0x4f_70_75_73) return undefined;
  const inEntry = new Uint8Array(entries.buffer, entries.byteOffset + 44, entries.byteLength - 44);
  for (const { type, data } of mp4Boxes(inEntry))
    if (type === "dOps") return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return undefined;
}

/** A table of rows of 32-bit numbers behind a count; a count that lies ends with the box. */
function tableOf(view: DataView | undefined, head: number, width: number) {
  const room = view && view.byteLength >= head ? Math.floor((view.byteLength - head) / (4 * width)) : 0;
  return {
    count: view && room > 0 ? Math.min(view.getUint32(head - 4), room) : 0,
    at: (row: number, column = 0): number => view?.getUint32(head + 4 * (row * width + column)) ?? 0,
  };
}

/** Packets of a file that is written at its end: their lengths in `stsz`, by chunks that `stsc` and `stco` describe. */
function* tablePackets(bytes: Uint8Array, { boxes }: Mp4Track): Generator<Uint8Array> {
  const sizes = boxes.get("stsz");
  const sameSize = sizes && sizes.byteLength >= 12 ? sizes.getUint32(4) : 0;
  const each = tableOf(sizes, 12, 1);
  const chunks = tableOf(boxes.get("stco"), 8, 1);
  const runs = tableOf(boxes.get("stsc"), 8, 3);
  if (runs.count === 0) return;
  let [packet, run] = [0, 0];
  for (let chunk = 0; chunk < chunks.count; chunk++) {
    while (run + 1 < runs.count && runs.at(run + 1) <= chunk + 1) run++;
    let at = chunks.at(chunk);
    for (let left = runs.at(run, 1); left > 0; left--) {
      const size = sameSize || (packet < each.count ? each.at(packet) : 0);
      if (size === 0 || at + size > bytes.length) return;
      yield bytes.subarray(at, at + size);
      at += size;
      packet++;
    }
  }
}

/** The Opus track of an MP4 file; null if it has none. Throws AudioError. */
export function opusOfMp4(bytes: Uint8Array): OpusTrack | null {
  for (const track of tracksOf(bytes)) {
    const box = opusBoxOf(track);
    if (!box) continue;
    return { preSkip: preSkipOfBox(box), packets: packetsOf(bytes, track) };
  }
  return null;
}

function* packetsOf(bytes: Uint8Array, track: Mp4Track): Generator<Uint8Array> {
  yield* tablePackets(bytes, track);
  yield* fragmentPackets(bytes, track.id);
}
