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

test("a photograph in colours has no tone; what is painted for one in black and white is grey, in sepia brown", async () => {
  const { source } = await drawnOnMina();
  expect(toneOf(source)).toBeNull();
  /** Pink, as a tongue is painted, in the tone of a photograph. */
  const painted = (...tone: [number, number, number]): number[] => {
    const image = { data: Uint8ClampedArray.from([200, 100, 104, 255]) };
    paintInTone(image, toneOf(toned(source, tone))!);
    return [...image.data];
  };
  const [grey, brown] = [painted(1, 1, 1), painted(1.1, 1, 0.75)];
  expect(Math.max(...grey.slice(0, 3)) - Math.min(...grey.slice(0, 3))).toBeLessThanOrEqual(1);
  expect(grey[0]).toBeGreaterThan(120);
  expect(grey[3]).toBe(255);
  expect(brown[0]! / brown[2]!).toBeCloseTo(1.1 / 0.75, 1);
  expect(brown[1]! / brown[2]!).toBeCloseTo(1 / 0.75, 1);
});
