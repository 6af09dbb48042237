import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { colorOf, contrast, readability } from "../../../src/console/editor/look-views.ts";

describe("contrast", () => {
  test("black on white is 21, a colour on itself 1", () => {
    expect(contrast([0, 0, 0], [1, 1, 1])).toBeCloseTo(21, 5);
    expect(contrast([0.3, 0.4, 0.5], [0.3, 0.4, 0.5])).toBe(1);
  });

  test("reads short and long colours, and nothing else", () => {
    expect(colorOf("#fff")).toEqual([1, 1, 1]);
    expect(colorOf("#0D6660")?.[0]).toBeCloseTo(13 / 255);
    expect(["red", "#12", "#12345g", ""].map(colorOf)).toEqual([null, null, null, null]);
  });

  test("the widget's own teal is not shaded in light, and as readable as its tokens say", () => {
    const teal = readability("#0d6660");
    expect(teal?.isShaded).toBe(false);
    expect(teal?.light).toBeCloseTo(6.6, 0);
  });

  test("words in every owner's colour stay readable, in light and dark", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) => {
        const { light, dark } = readability(`#${value.toString(16).padStart(6, "0")}`)!;
        expect(Math.min(light, dark)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  test("a light colour is made darker", () => {
    expect(readability("#f2b300")?.isShaded).toBe(true);
  });
});
