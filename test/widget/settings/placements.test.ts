import { expect, test } from "vitest";
import { isPlacement, nearestPlacement, placementTowards } from "../../../src/widget/settings/placements.ts";
import { placementSchema } from "../../../src/protocol/settings/embed-config.ts";

test("knows the placements of the contract", () => {
  expect(placementSchema.options.every(isPlacement)).toBe(true);
  expect([isPlacement("bottom"), isPlacement(1), isPlacement("toString")]).toEqual([false, false, false]);
});

test.each([
  [0.05, 0.9, "bottom-left"],
  [0.9, 0.1, "top-right"],
  [0.55, 0.95, "bottom-center"],
  [0.8, 0.5, "center-right"],
  [0.1, 0.4, "top-left"],
])("a launcher dropped at %d, %d goes to the nearest place, %s", (x, y, place) => {
  expect(nearestPlacement(x, y)).toBe(place);
});

test.each([
  ["bottom-right", "ArrowLeft", "bottom-center"],
  ["bottom-center", "ArrowLeft", "bottom-left"],
  ["bottom-left", "ArrowUp", "top-left"],
  ["bottom-right", "ArrowUp", "center-right"],
  ["center-right", "ArrowUp", "top-right"],
  ["top-left", "ArrowRight", "top-right"],
  ["top-left", "ArrowUp", null],
  ["bottom-right", "Enter", null],
  ["elsewhere", "ArrowUp", null],
])("from %s, %s moves to %s", (place, key, next) => {
  expect(placementTowards(place, key)).toBe(next);
});
