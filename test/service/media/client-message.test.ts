import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ClientMessageReader } from "../../../src/service/media/client-message.ts";
import { pictureSizeFor } from "../../../src/service/media/picture-size.ts";

describe("reading a client's messages", () => {
  it("reads what the wire conventions name", () => {
    const reader = new ClientMessageReader(() => undefined);
    expect(reader.read('{"type":"ttstf","data":{"message":"Hi"}}')).toEqual({
      type: "ttstf",
      data: { message: "Hi" },
    });
  });

  it("never throws and never reports more than a few faults, whatever comes", () => {
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

  it("ignores a message above 64 KiB", () => {
    const reader = new ClientMessageReader(() => undefined);
    const padded = `{"type":"ping","data":{}}${" ".repeat(70_000)}`;
    expect(reader.read(padded)).toBeUndefined();
  });
});

describe("the picture's size", () => {
  it.each([
    [16, 256],
    [256, 256],
    [257, 272],
    [424, 432],
    [768, 768],
    [4_096, 768],
  ])("is for a stage of %i px the next multiple of 16 within its limits", (heightPx, size) => {
    expect(pictureSizeFor(heightPx)).toBe(size);
  });
});
