import { describe, expect, test } from "vitest";
import { afterKey, moved, resized, shareOf } from "../../../../src/console/editor/preview/framing.ts";

const middle = { padding_left: 0, padding_top: 0.2, padding_height: 1 };
const frame = { width: 200, height: 400 };

describe("framing", () => {
  test("a drag moves by shares of the frame", () => {
    expect(moved(middle, { x: 20, y: 40 }, frame)).toEqual({
      ...middle,
      padding_left: 0.1,
      padding_top: 0.3,
    });
  });

  test("stays within what a context may have", () => {
    expect(moved(middle, { x: 9_999, y: -9_999 }, frame)).toEqual({
      ...middle,
      padding_left: 1,
      padding_top: 0,
    });
    expect(resized(middle, -99_999, frame).padding_height).toBe(5);
  });

  test("a corner changes the size, and the foot stays", () => {
    expect(resized(middle, -40, frame)).toEqual({ padding_left: 0, padding_top: 0.1, padding_height: 1.1 });
  });

  test("arrow keys move by 1 %, with Shift by 10 %", () => {
    expect(afterKey(middle, "ArrowRight", false)?.padding_left).toBe(0.01);
    expect(afterKey(middle, "ArrowDown", true)?.padding_top).toBe(0.3);
    expect(afterKey(middle, "+", false)?.padding_height).toBe(1.01);
    expect(afterKey(middle, "Tab", false)).toBeNull();
  });

  test("numbers of the form are percent, with or without the sign", () => {
    expect(["12", "12 %", "-3,5", "−4", "", "x"].map(shareOf)).toEqual([
      0.12,
      0.12,
      -0.035,
      -0.04,
      null,
      null,
    ]);
  });
});
