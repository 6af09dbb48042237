import { expect, it } from "vitest";
import { collectGarbage } from "../../../../src/service/collect-garbage.ts";
import { FileChannel } from "../../../../src/service/media/session/file-channel.ts";
import type { DataChannel } from "../../../../src/service/media/wrtc.ts";

function heldBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

it("an upload in tiny pieces takes little more memory than its bytes", () => {
  const channel: DataChannel = {
    ...{ label: "file", readyState: "open", binaryType: "arraybuffer" },
    ...{ onopen: null, onmessage: null, onclose: null },
    send: () => undefined,
    close: () => undefined,
  };
  const kept: Uint8Array[] = [];
  const events = { keep: (bytes: Uint8Array) => (kept.push(bytes), "file-1"), onFault: () => undefined };
  const upload = new FileChannel(
    channel,
    events,
    (handler) => handler,
    () => undefined,
  );
  const before = heldBytes();
  for (let index = 0; index < 300_000; index++)
    channel.onmessage?.({ data: Uint8Array.of(index % 251).buffer });
  expect(heldBytes() - before).toBeLessThan(5_000_000);
  channel.onmessage?.({ data: new ArrayBuffer(0) });
  upload.close();
  expect(kept[0]).toHaveLength(300_000);
  expect(kept[0]![299_999]).toBe(299_999 % 251);
});
