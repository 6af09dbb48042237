import { createCanvas } from "@napi-rs/canvas";
import { describe, expect, test } from "vitest";
import { isMovingPicture } from "../../../src/protocol/characters/moving-picture.ts";

const canvas = createCanvas(16, 16);

/** A PNG with chunks behind its header. */
function png(...chunks: [name: string, length: number][]): Uint8Array {
  const bytes = canvas.toBuffer("image/png");
  const added = chunks.map(([name, length]) => {
    const chunk = Buffer.alloc(12 + length);
    chunk.writeUInt32BE(length, 0);
    chunk.write(name, 4, "latin1");
    return chunk;
  });
  return Buffer.concat([bytes.subarray(0, 33), ...added, bytes.subarray(33)]);
}

/** The header of an extended WebP file with these flags, and a long profile of colours before anything else. */
function webp(flags: number): Uint8Array {
  const profile = Buffer.alloc(4_000, "ANIM");
  const header = Buffer.from("RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x0f\0\0\x0f\0\0ICCP", "latin1");
  header[20] = flags;
  return Buffer.concat([header, Buffer.from([0xa0, 0x0f, 0, 0]), profile]);
}

describe("a picture that moves", () => {
  test.each([
    ["a GIF", Buffer.from("GIF89a")],
    ["a PNG", png(["acTL", 8])],
    ["a PNG with a long profile of colours", png(["iCCP", 3_000], ["acTL", 8])],
    ["a WebP with a long profile of colours", webp(0x22)],
    ["a sequence of AVIF pictures", Buffer.from("\0\0\0\x1cftypavis\0\0\0\0avifavis", "latin1")],
  ])("is told: %s", (_, bytes) => {
    expect(isMovingPicture(bytes)).toBe(true);
  });

  test.each([
    ["a PNG", png()],
    ["a PNG that mentions it", png(["tEXt", 8], ["iCCP", 3_000])],
    ["a PNG that breaks off", png(["iCCP", 3_000]).subarray(0, 60)],
    ["a WebP", canvas.toBuffer("image/webp")],
    ["a WebP whose profile has the letters of an animation", webp(0x20)],
    ["a JPEG", canvas.toBuffer("image/jpeg")],
    ["an AVIF", Buffer.from("\0\0\0\x1cftypavif\0\0\0\0avifmif1", "latin1")],
    ["a text", Buffer.from("acTL ANIM")],
    ["nothing", new Uint8Array()],
  ])("is no still one: %s", (_, bytes) => {
    expect(isMovingPicture(bytes)).toBe(false);
  });
});
