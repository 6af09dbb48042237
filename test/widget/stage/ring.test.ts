import { expect, it } from "vitest";
import { topCentre } from "../../../src/widget/stage/ring.ts";

it("finds where the top centre lies on the ring", () => {
  expect(topCentre(100, 100, 0)).toBeCloseTo(12.5);
  expect(topCentre(100, 100, 50)).toBe(0);
});
