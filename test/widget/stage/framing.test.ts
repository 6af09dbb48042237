import { describe, expect, it } from "vitest";
import { defaultFraming, framingOf } from "../../../src/widget/stage/framing.ts";
import { paddingsOf } from "../../../src/widget/stage/set-paddings.ts";

describe("the framing", () => {
  const element = (attributes: Record<string, string>) => ({
    getAttribute: (name: string) => attributes[name] ?? null,
  });

  it("reads the page's paddings from attributes, by name", () => {
    expect(paddingsOf(element({ "padding-left": "-0.25", "padding-height": " 1.5 " }))).toEqual({
      padding_left: -0.25,
      padding_height: 1.5,
    });
  });

  it.each(["", "wide", "1.01", "-0.01", "NaN", "Infinity"])("ignores %j as a padding-top", (text) => {
    expect(paddingsOf(element({ "padding-top": text }))).toEqual({});
  });

  it("uses the owner's paddings unchanged", () => {
    const owner = { padding_left: -0.5, padding_top: 0.2, padding_height: 1.4 };
    expect(framingOf(owner, 364, 424)).toEqual({
      paddingLeft: -0.5,
      paddingTop: 0.2,
      paddingHeight: 1.4,
    });
  });

  it.each([
    [364, 424],
    [370, 600],
    [230, 230],
    [364, 152],
    [784, 404],
  ])("lets a picture with its own background reach both edges of a window of %i × %i", (width, height) => {
    const { paddingTop, paddingHeight } = framingOf({}, width, height, true);
    expect(paddingTop).toBeLessThanOrEqual(0);
    expect(paddingTop + paddingHeight).toBeGreaterThanOrEqual(1);
    expect(paddingTop + 0.125 * paddingHeight).toBeGreaterThan(0.1);
  });

  it("places a picture with its own background by the owner's paddings, too", () => {
    expect(framingOf({ padding_top: 0.2 }, 364, 424, true).paddingTop).toBe(0.2);
  });

  it.each([
    [364, 424],
    [364, 514],
    [370, 600],
    [364, 152],
    [784, 404],
    [460, 400],
  ])("meets the lower edge and keeps the face free in a window of %i × %i", (width, height) => {
    const { paddingTop, paddingHeight } = defaultFraming(width, height);
    expect(paddingTop + paddingHeight).toBeGreaterThanOrEqual(1);
    expect(paddingTop + 0.125 * paddingHeight).toBeGreaterThan(0.1);
    expect(paddingTop + 0.655 * paddingHeight).toBeLessThan(0.83);
  });
});
