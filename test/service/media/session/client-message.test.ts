import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ClientMessageReader } from "../../../../src/service/media/session/client-message.ts";

describe("reading a client's messages", () => {
  it("reads the messages of the wire conventions", () => {
    const reader = new ClientMessageReader(() => undefined);
    expect(reader.read('{"type":"ttstf","data":{"message":"Hi"}}')).toEqual({
      type: "ttstf",
      data: { message: "Hi" },
    });
  });

  it("never throws, and reports only a few errors, for any input", () => {
    const faults: string[] = [];
    const reader = new ClientMessageReader((fault) => faults.push(fault));
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.uint8Array(), fc.constant(null)), (data) => {
        reader.read(data);
      }),
    );
    for (let count = 0; count < 100; count++) reader.read(`{"type":"t${count}","data":{}}`);
    expect(faults.length).toBeLessThanOrEqual(16);
  });

  it("names the fields that do not fit", () => {
    const faults: string[] = [];
    const reader = new ClientMessageReader((fault) => faults.push(fault));
    const wanted = { type: "voice", data: { rate: 1.25 } };
    expect(reader.read(JSON.stringify(wanted))).toEqual(wanted);
    for (const rate of ["0.49", "2.1", '"1"', "null"])
      reader.read(`{"type":"voice","data":{"rate":${rate}}}`);
    reader.read('{"type":"change-size","data":{"width":1}}');
    reader.read('{"type":"dance","data":{}}');
    expect(faults).toEqual([
      'A message of the unknown or wrong form "voice" (data.rate) was ignored.',
      'A message of the unknown or wrong form "change-size" (data.width, data.height) was ignored.',
      'A message of the unknown or wrong form "dance" was ignored.',
    ]);
  });

  it("ignores a message above 64 KiB", () => {
    const reader = new ClientMessageReader(() => undefined);
    const padded = `{"type":"ping","data":{}}${" ".repeat(70_000)}`;
    expect(reader.read(padded)).toBeUndefined();
  });
});
