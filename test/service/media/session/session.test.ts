import fc from "fast-check";
import { describe, expect, it, afterEach, beforeEach, vi } from "vitest";
import { ClientMessageReader } from "../../../../src/service/media/session/client-message.ts";
import { ChannelSender, FileChannel } from "../../../../src/service/media/session/file-channel.ts";
import { sessionGuard } from "../../../../src/service/media/session-guard.ts";
import type { DataChannel } from "../../../../src/service/media/wrtc.ts";
import { collectGarbage } from "../../../../src/service/collect-garbage.ts";
import { SessionFiles } from "../../../../src/service/media/session/uploaded-speech.ts";

describe("a reader of a client's messages", () => {
  let faults: string[];
  let reader: ClientMessageReader;
  beforeEach(() => {
    faults = [];
    reader = new ClientMessageReader((fault) => faults.push(fault));
  });

  it("never throws, and reports only a few errors, for any input", () => {
    const data = fc.oneof(fc.json(), fc.string(), fc.uint8Array(), fc.constant(null));
    fc.assert(fc.property(data, (given) => void reader.read(given)));
    for (let count = 0; count < 100; count++) reader.read(`{"type":"t${count}","data":{}}`);
    expect(faults.length).toBeLessThanOrEqual(16);
  });

  it("reads the messages of the wire conventions, and names the fields that do not fit", () => {
    const wanted = { type: "voice", data: { rate: 1.25 } };
    expect(reader.read(JSON.stringify(wanted))).toEqual(wanted);
    for (const rate of ["0.49", "2.1", '"1"', "null"])
      reader.read(`{"type":"voice","data":{"rate":${rate}}}`);
    reader.read('{"type":"change-size","data":{"width":1}}');
    reader.read('{"type":"dance","data":{}}');
    const told = ['"voice" (data.rate)', '"change-size" (data.width, data.height)', '"dance"'];
    const fault = (what: string): string => `A message of the unknown or wrong form ${what} was ignored.`;
    expect(faults).toEqual(told.map(fault));
  });

  it("ignores a message above 64 KiB", () => {
    const ping = '{"type":"ping","data":{}}';
    expect(reader.read(ping)).toBeDefined();
    expect(reader.read(ping + " ".repeat(70_000))).toBeUndefined();
  });
});

describe("texts over a channel", () => {
  let sent: string[];
  let isOpen: boolean;
  let faults: unknown[];
  let sender: ChannelSender;

  beforeEach(() => {
    vi.useFakeTimers();
    [sent, isOpen, faults] = [[], true, []];
    const channel: Pick<DataChannel, "send"> = {
      send(text) {
        if (!isOpen) throw new Error("InvalidStateError");
        sent.push(text);
      },
    };
    const guard = sessionGuard((error) => faults.push(error));
    sender = new ChannelSender(channel as DataChannel, guard);
  });
  afterEach(() => vi.useRealTimers());

  it("are sent a moment later, in their order, also after a pause", () => {
    for (const text of ["one", "two"]) sender.send(text);
    expect(sent).toEqual([]);
    vi.runAllTimers();
    expect(sent).toEqual(["one", "two"]);
    sender.send("three");
    vi.runAllTimers();
    expect(sent).toEqual(["one", "two", "three"]);
  });

  it("are sent at once, and only once, before the service closes the channel", () => {
    sender.send("the end");
    sender.flush();
    vi.runAllTimers();
    expect(sent).toEqual(["the end"]);
  });

  it("are dropped when the client has closed the channel meanwhile", () => {
    sender.send("too late");
    sender.discard();
    vi.runAllTimers();
    expect(sent).toEqual([]);
  });

  it("for a channel that is not open are dropped without an error", () => {
    isOpen = false;
    sender.send("too late");
    vi.runAllTimers();
    expect([sent, faults]).toEqual([[], []]);
  });
});

/** An upload over an open channel: what it kept, and what went wrong. */
function opened() {
  const kept: Uint8Array[] = [];
  const faults: string[] = [];
  const channel: DataChannel = {
    ...{ label: "file", readyState: "open", binaryType: "arraybuffer" },
    ...{ onopen: null, onmessage: null, onclose: null },
    send: () => undefined,
    close: () => undefined,
  };
  const events = {
    keep: (bytes: Uint8Array) => (kept.push(bytes), "file-1"),
    onFault: (detail: string) => void faults.push(detail),
  };
  const upload = new FileChannel(
    channel,
    events,
    (handler) => handler,
    () => undefined,
  );
  return { channel, upload, kept, faults };
}

it.each([
  { more: 0, outcome: "kept", kept: [5 * 1024 * 1024], faults: [] },
  { more: 1, outcome: "refused", kept: [], faults: ["The file is larger than 5 MB."] },
])("an upload of 5 MB and $more bytes is $outcome", ({ more, kept, faults }) => {
  const upload = opened();
  for (let piece = 0; piece < 80; piece++) upload.channel.onmessage?.({ data: new ArrayBuffer(64 * 1024) });
  if (more > 0) upload.channel.onmessage?.({ data: new ArrayBuffer(more) });
  upload.channel.onmessage?.({ data: new ArrayBuffer(0) });
  upload.upload.close();
  expect(upload.kept.map(({ length }) => length)).toEqual(kept);
  expect(upload.faults).toEqual(faults);
});

it("an upload in tiny pieces takes little more memory than its bytes", () => {
  const heldBytes = (): number => {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const { channel, upload, kept } = opened();
  const before = heldBytes();
  for (let index = 0; index < 300_000; index++)
    channel.onmessage?.({ data: Uint8Array.of(index % 251).buffer });
  expect(heldBytes() - before).toBeLessThan(5_000_000);
  channel.onmessage?.({ data: new ArrayBuffer(0) });
  upload.close();
  expect(kept[0]).toHaveLength(300_000);
  expect(kept[0]![299_999]).toBe(299_999 % 251);
});

describe("a session's uploaded files", () => {
  const file = (mebibytes: number): Uint8Array => new Uint8Array(mebibytes * 1024 * 1024);

  it("are found by their references until they are cleared", () => {
    const files = new SessionFiles();
    const bytes = Uint8Array.of(1, 2, 3);
    const reference = files.keep(bytes)!;
    expect(files.hold(reference)?.bytes).toBe(bytes);
    expect(files.hold("file-other")).toBeUndefined();
    files.clear();
    expect(files.hold(reference)).toBeUndefined();
  });

  it("may have 20 MB; the least recently used file is removed", () => {
    const files = new SessionFiles();
    const [first, second] = [5, 5, 5, 5].map((size) => files.keep(file(size))!);
    files.hold(first!)!.release();
    expect(files.keep(file(5))).toBeDefined();
    expect(files.hold(first!)).toBeDefined();
    expect(files.hold(second!)).toBeUndefined();
  });

  it("are at most 16, however small", () => {
    const files = new SessionFiles();
    const references = Array.from({ length: 17 }, () => files.keep(Uint8Array.of(1))!);
    expect(references.filter((reference) => files.hold(reference))).toHaveLength(16);
  });

  it("are never removed while they wait to be played: a new file is refused until there is space", () => {
    const files = new SessionFiles();
    const held = [5, 5, 5, 5].map((size) => files.hold(files.keep(file(size))!)!);
    expect(files.keep(file(1))).toBeUndefined();
    held[0]!.release();
    expect(files.keep(file(1))).toBeDefined();
  });
});
