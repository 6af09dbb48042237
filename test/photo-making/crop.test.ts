import { describe, expect, test } from "vitest";
import { cropOf, isCutOff, type PlacedPerson } from "../../src/photo-making/crop.ts";
import { framings } from "../../src/photo-making/maker-requests.ts";
import { cheeks, chin, forehead } from "../../src/photo/landmarks.ts";
import type { Point } from "../../src/photo/numbers.ts";

/** The height of the face, in pixels. Cheeks are 80 apart. */
const face = 100;

/** A face in a photograph with so much room around it, in pixels. */
function person({ above = 60, below = 120, left = 80, right = 80, hair = 40 } = {}): PlacedPerson {
  const landmarks = Array.from({ length: 478 }, (): Point => [left + 40, above + face / 2]);
  landmarks[forehead] = [left + 40, above];
  landmarks[chin] = [left + 40, above + face];
  landmarks[cheeks[0]] = [left, above + face / 2];
  landmarks[cheeks[1]] = [left + 80, above + face / 2];
  return { width: left + 80 + right, height: above + face + below, landmarks, hairTop: above - hair };
}

describe("a person in a photograph", () => {
  test("with room around head and neck is not cut off", () => {
    expect(isCutOff(person())).toBe(false);
  });

  test.each([
    ["above the forehead", { above: 12, hair: 5 }],
    ["above the hair", { above: 41, hair: 40 }],
    ["below the chin", { below: 15 }],
    ["on the left", { left: 10 }],
    ["on the right", { right: 10 }],
  ])("without room %s is cut off", (_, room) => {
    expect(isCutOff(person(room))).toBe(true);
  });
});

/** Rooms with which nobody is cut off, up to the least. */
const rooms = [
  {},
  { above: 400, below: 400, left: 400, right: 400 },
  { below: 19 },
  { above: 16, hair: 10, below: 19 },
  { left: 15, right: 15 },
  { above: 16, hair: 10, below: 19, left: 15, right: 300 },
  { above: 200, hair: 150 },
];

describe.each(framings)("framed %s", (framing) => {
  test.each(rooms)("the whole head is in a square that ends within the photograph: %o", (room) => {
    const placed = person(room);
    expect(isCutOff(placed)).toBe(false);
    for (const keepsBackground of [false, true]) {
      const { x, y, side } = cropOf(placed, framing, keepsBackground);
      expect(side).toBeGreaterThanOrEqual(1.6999 * face);
      expect(y).toBeLessThan(placed.hairTop);
      expect(y + side).toBeLessThanOrEqual(placed.height + 1e-6);
      expect(y + side).toBeGreaterThan(placed.landmarks[chin]![1] + 15);
      expect(x).toBeLessThan(placed.landmarks[cheeks[0]]![0]);
      expect(x + side).toBeGreaterThan(placed.landmarks[cheeks[1]]![0]);
    }
  });

  test("a kept background has nothing beyond the photograph, where that is large enough", () => {
    const { x, y, side } = cropOf(person({ left: 60, right: 90, above: 50 }), framing, true);
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + side).toBeLessThanOrEqual(230);
    expect(y).toBeGreaterThanOrEqual(0);
  });
});
