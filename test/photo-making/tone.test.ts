import { expect, test } from "vitest";
import type { SourcePicture } from "../../src/photo-making/source-picture.ts";
import { paintInTone, toneOf } from "../../src/photo-making/mouth-layer.ts";
import { drawnOnMina } from "./source-fixture.ts";

/** The same picture in one tone. */
function toned(source: SourcePicture, [r, g, b]: readonly [number, number, number]): SourcePicture {
  const data = source.data.slice();
  for (let i = 0; i < data.length; i += 4) {
    const light = 0.3 * data[i]! + 0.59 * data[i + 1]! + 0.11 * data[i + 2]!;
    data.set([r * light, g * light, b * light], i);
  }
  return { ...source, data };
}

/** Pink, as a tongue is painted. */
const pink = (): { data: Uint8ClampedArray<ArrayBuffer> } => ({
  data: Uint8ClampedArray.from([200, 100, 104, 255]),
});

test("a photograph in colours has no tone", async () => {
  const { source } = await drawnOnMina();
  expect(toneOf(source)).toBeNull();
});

test("what is painted for a photograph in black and white is grey", async () => {
  const { source } = await drawnOnMina();
  const tone = toneOf(toned(source, [1, 1, 1]));
  expect(tone).not.toBeNull();
  const image = pink();
  paintInTone(image, tone!);
  const [r, g, b, alpha] = image.data;
  expect(Math.max(r!, g!, b!) - Math.min(r!, g!, b!)).toBeLessThanOrEqual(1);
  expect(r).toBeGreaterThan(120);
  expect(alpha).toBe(255);
});

test("what is painted for a photograph in sepia is brown", async () => {
  const { source } = await drawnOnMina();
  const tone = toneOf(toned(source, [1.1, 1, 0.75]));
  expect(tone).not.toBeNull();
  const image = pink();
  paintInTone(image, tone!);
  const [r, g, b] = image.data;
  expect(r! / b!).toBeCloseTo(1.1 / 0.75, 1);
  expect(g! / b!).toBeCloseTo(1 / 0.75, 1);
});
