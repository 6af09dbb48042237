import { expect, test } from "vitest";
import { widenEyeHoles } from "../../src/photo-making/eye-layers.ts";
import { leftEye, rightEye } from "../../src/photo/landmarks.ts";
import type { Point } from "../../src/photo/numbers.ts";
import { drawnOnMina } from "./source-fixture.ts";

test("the lower lids move down below the iris, and nothing else moves", async () => {
  const { source } = await drawnOnMina();
  const points: Point[] = [...source.landmarks];
  widenEyeHoles(points, source.pxPerMm);
  const moved = points.flatMap((point, i) => (point[1] === source.landmarks[i]![1] ? [] : [i]));
  const lower = [leftEye, rightEye].flatMap((eye) => eye.lower.slice(1, -1));
  expect(moved.length).toBeGreaterThan(0);
  for (const i of moved) {
    expect(lower).toContain(i);
    expect(points[i]![0]).toBe(source.landmarks[i]![0]);
    expect(points[i]![1]).toBeGreaterThan(source.landmarks[i]![1]);
  }
});
