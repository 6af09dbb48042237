import { expect, test } from "vitest";
import { createPhotoFace } from "../../src/photo/index.ts";
import type { PuppetParams } from "../../src/puppet/index.ts";
import { photoMina, photoMinaInGlasses } from "./photo-fixture.ts";

/** Measuring a face takes long. */
const face = createPhotoFace(photoMinaInGlasses());

/** Where the frame is in a pose, in pixels of the picture. */
function frameIn(params: PuppetParams): number[] {
  face.pose(params);
  return [...(face.meshes.find(({ layer }) => layer === "glasses")?.positions ?? [])];
}

test("glasses stay where they are while eyes, brows and mouth move", () => {
  const rest = frameIn({});
  expect(rest.length).toBeGreaterThan(0);
  const eyes = { blink: 1, gazeX: 1, gazeY: -1, browRaise: 1, browConcern: 1 };
  const moves = { ...eyes, smile: 1, visemeWeights: { aa: 1 } };
  for (const [name, value] of Object.entries(moves)) expect(frameIn({ [name]: value }), name).toEqual(rest);
});

test("glasses turn with the head, and their middle goes farther than their ends", () => {
  const [rest, turned] = [frameIn({}), frameIn({ headTurn: 1 })];
  const moved = turned.map((value, i) => value - rest[i]!).filter((_, i) => i % 2 === 0);
  // Its first row, from one temple to the other.
  const [first, middle, last] = [moved[0]!, moved[6]!, moved[12]!];
  expect(Math.abs(middle)).toBeGreaterThan(Math.abs(first));
  expect(Math.abs(middle)).toBeGreaterThan(Math.abs(last));
});

test("lie before everything else, and only faces with glasses have them", () => {
  expect(face.meshes.at(-1)!.layer).toBe("glasses");
  expect(createPhotoFace(photoMina()).meshes.map(({ layer }) => layer)).not.toContain("glasses");
});
