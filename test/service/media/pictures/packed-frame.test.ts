import { expect, test } from "vitest";
import { PackedFrame } from "../../../../src/service/media/pictures/packed-drawing.ts";
import type { PixelPatch } from "../../../../src/service/media/pictures/pixel-patch.ts";

const size = 32;

/** Premultiplied pixels of different colours: opaque, transparent and in between. */
function picture(seed: number, width: number, height: number): Uint8Array {
  const rgba = new Uint8Array(width * height * 4);
  let state = seed;
  const next = (): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  // Blocks of 2 × 2 share a colour, because the chroma planes have one value for each.
  for (let y = 0; y < height; y += 2)
    for (let x = 0; x < width; x += 2) {
      const alpha = [0, 255, Math.floor(next() * 256)][Math.floor(next() * 3)]!;
      const colour = [next(), next(), next()].map((part) => Math.floor(part * alpha));
      for (const at of [y * width + x, y * width + x + 1, (y + 1) * width + x, (y + 1) * width + x + 1])
        rgba.set([...colour, alpha], at * 4);
    }
  return rgba;
}

const whole = (rgba: Uint8Array): PixelPatch => ({
  rgba,
  width: size,
  height: size,
  box: { x: 0, y: 0, width: size, height: size },
});

function packed(...patches: PixelPatch[]): Uint8Array {
  const frame = new PackedFrame(size);
  for (const patch of patches) frame.pack(patch);
  return frame.video.data;
}

test("a frame is twice as high as wide, and is black and transparent at first", () => {
  const { width, height, data } = new PackedFrame(size).video;
  expect({ width, height, length: data.length }).toEqual({
    width: size,
    height: size * 2,
    length: size * size * 3,
  });
  expect(new Set(data.subarray(0, size * size * 2))).toEqual(new Set([16]));
  expect(new Set(data.subarray(size * size * 2))).toEqual(new Set([128]));
});

test("the upper half has the colours in BT.601, the lower half the matte in grey", () => {
  const rgba = picture(1, size, size);
  const data = packed(whole(rgba));
  for (let pixel = 0; pixel < size * size; pixel++) {
    const [r, g, b, alpha] = rgba.subarray(pixel * 4, pixel * 4 + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    const luma = 16 + (65.738 * r + 129.057 * g + 25.064 * b) / 256;
    expect(Math.abs(data[pixel]! - luma)).toBeLessThan(2);
    expect(data[size * size + pixel]).toBe(Math.round(16 + (alpha * 219) / 255));
    const [x, y] = [pixel % size, Math.floor(pixel / size)];
    const chroma = Math.floor(y / 2) * (size / 2) + Math.floor(x / 2);
    const blue = 128 + (-37.945 * r - 74.494 * g + 112.439 * b) / 256;
    const red = 128 + (112.439 * r - 94.154 * g - 18.285 * b) / 256;
    expect(Math.abs(data[size * size * 2 + chroma]! - blue)).toBeLessThan(2.5);
    expect(Math.abs(data[size * size * 2.5 + chroma]! - red)).toBeLessThan(2.5);
  }
  // The matte has no colour of its own.
  expect(new Set(data.subarray(size * size * 2.25, size * size * 2.5))).toEqual(new Set([128]));
  expect(new Set(data.subarray(size * size * 2.75))).toEqual(new Set([128]));
});

test.each([
  { x: 8, y: 16, width: 16, height: 8 },
  { x: 0, y: 0, width: 8, height: 8 },
  { x: 24, y: 24, width: 8, height: 8 },
  { x: 0, y: 8, width: 32, height: 16 },
])("a patch at $x, $y of $width × $height makes what the whole picture would have made", (box) => {
  const before = picture(2, size, size);
  // Its rows are longer than the box. The rest of a row is unused.
  const width = 40;
  const height = 32;
  const patch: PixelPatch = { rgba: picture(3, width, height), width, height, box };
  const after = before.slice();
  for (let row = 0; row < box.height; row++)
    after.set(
      patch.rgba.subarray(row * width * 4, (row * width + box.width) * 4),
      ((box.y + row) * size + box.x) * 4,
    );
  expect(packed(whole(before), patch)).toEqual(packed(whole(after)));
});
