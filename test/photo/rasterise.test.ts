import { describe, expect, test } from "vitest";
import type { Mesh } from "../../src/photo/mesh.ts";
import { layerPixels, Rasteriser } from "../../src/photo/index.ts";

const red = 0xff0000ff;
const half = 0x80000080;

/** A square of two triangles, `side` pixels wide at (`left`, `top`), with a texture of 4 × 4 pixels. */
function square(left: number, top: number, side: number, alpha = 1, shade = 1): Mesh {
  const [right, bottom] = [left + side, top + side];
  return {
    ...{ layer: "photo", count: 4, isIris: false, isHidden: false, displacements: {} },
    indices: Uint16Array.of(0, 1, 2, 0, 2, 3),
    texels: Float32Array.of(0, 0, 4, 0, 4, 4, 0, 4),
    rest: new Float32Array(12),
    headShares: new Float32Array(4),
    positions: Float32Array.of(left, top, right, top, right, bottom, left, bottom),
    alpha: new Float32Array(4).fill(alpha),
    shade: new Float32Array(4).fill(shade),
  };
}

function drawn(meshes: readonly Mesh[], colour: number, scale = 1): Uint32Array {
  const words = new Uint32Array(64);
  const rasteriser = new Rasteriser({ width: 8, height: 8, words }, scale);
  const texture = { width: 4, height: 4, words: new Uint32Array(16).fill(colour) };
  for (const mesh of meshes) rasteriser.draw(mesh, texture);
  return words;
}

const covered = (words: Uint32Array): number => words.filter((word) => word !== 0).length;

describe("the rasteriser", () => {
  test("fills each pixel whose middle is inside, and no other", () => {
    const words = drawn([square(2, 1, 4)], red);
    expect(covered(words)).toBe(16);
    expect([words[8 + 2], words[8 + 1], words[4 * 8 + 5], words[5 * 8 + 5]]).toEqual([red, 0, red, 0]);
  });

  test("scales, and cuts at the edges of the picture", () => {
    expect(covered(drawn([square(1, 1, 2)], red, 2))).toBe(16);
    expect(covered(drawn([square(-4, 6, 8)], red))).toBe(8);
    expect(covered(drawn([square(20, 20, 4)], red))).toBe(0);
  });

  test("paints translucent colours over what is there", () => {
    const words = drawn([square(0, 0, 8), square(0, 0, 4)], half);
    expect(words[63]).toBe(half);
    // Half of the half that is below shines through.
    expect(words[0]! >>> 24).toBeGreaterThan(0xbd);
    expect(words[0]! >>> 24).toBeLessThan(0xc2);
  });

  test("fades and shades by vertex", () => {
    const [faded] = drawn([square(0, 0, 8, 0.5)], red);
    expect(faded! >>> 24).toBe(127);
    const [shaded] = drawn([square(0, 0, 8, 1, 0.5)], red);
    expect([shaded! & 255, shaded! >>> 24]).toEqual([127, 255]);
  });

  test("fine lines of a layer that is seen much smaller become even", () => {
    const stripes = Uint32Array.from({ length: 32 * 32 }, (_, i) => (i % 4 === 0 ? 0xff000000 : 0xffffffff));
    const texture = layerPixels("mouth", { width: 32, height: 32, words: stripes });
    const mesh = { ...square(0, 0, 8), texels: Float32Array.of(0, 0, 32, 0, 32, 32, 0, 32) };
    const words = new Uint32Array(64);
    new Rasteriser({ width: 8, height: 8, words }, 1).draw(mesh, texture);
    const lights = words.map((word) => word & 255);
    expect(Math.max(...lights) - Math.min(...lights)).toBeLessThan(8);
    expect(lights[27]).toBeGreaterThan(180);
  });

  test("a triangle without area draws nothing", () => {
    expect(covered(drawn([square(3, 3, 0)], red))).toBe(0);
  });
});
