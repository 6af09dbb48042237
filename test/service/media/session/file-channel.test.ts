import { expect, it } from "vitest";
import { collectGarbage } from "../../../../src/service/collect-garbage.ts";
import { FileChannel } from "../../../../src/service/media/session/file-channel.ts";
import type { DataChannel } from "../../../../src/service/media/wrtc.ts";

function heldBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

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
