import { describe, expect, it } from "vitest";
import { layoutOf, opensColumn } from "../../../src/widget/panel/layout.ts";

const desktop = { width: 1280, height: 800 };
const box = (width: number, height = 450, fontSize = 16) => ({ width, height, fontSize });

describe("the layout", () => {
  it("floats on a desktop, fills a phone, and puts the captions beside the picture on a phone in landscape", () => {
    expect(layoutOf("bubble", desktop, box(0), false, false)).toMatchObject({
      fit: "window",
      kind: "stacked",
    });
    expect(layoutOf("bubble", { width: 390, height: 844 }, box(0), false, false).fit).toBe("phone");
    expect(layoutOf("bubble", { width: 844, height: 390 }, box(0), false, false)).toMatchObject({
      fit: "phone",
      beside: true,
    });
  });

  it("shrinks the picture to a circle when the keyboard leaves less than 400 px", () => {
    expect(layoutOf("bubble", { width: 320, height: 300 }, box(0), true, false).plain).toBe(true);
    expect(layoutOf("bubble", { width: 390, height: 500 }, box(0), true, false).plain).toBe(false);
  });

  it("overlays the picture of a wide inline element, unless an open transcript has no room beside it", () => {
    expect(layoutOf("inline", desktop, box(800), false, false).kind).toBe("overlay");
    expect(layoutOf("inline", desktop, box(800), true, false).kind).toBe("overlay");
    expect(layoutOf("inline", desktop, box(600), true, false).kind).toBe("stacked");
    expect(layoutOf("inline", desktop, box(400), false, false).kind).toBe("stacked");
  });

  it("puts large texts below the picture of a full screen, unless the picture is wide enough for them", () => {
    const kindOf = (width: number, fontSize: number) =>
      layoutOf("fullscreen", desktop, box(width, 720, fontSize), false, false).kind;
    expect([kindOf(880, 16), kindOf(880, 24), kindOf(880, 32), kindOf(960, 32)]).toEqual([
      "overlay",
      "overlay",
      "stacked",
      "overlay",
    ]);
    expect(layoutOf("inline", desktop, box(880, 450, 32), false, false).kind).toBe("overlay");
  });

  it("opens the transcript from the start on a wide full screen only", () => {
    expect(opensColumn("fullscreen", box(1280, 800))).toBe(true);
    expect(opensColumn("fullscreen", box(800, 800))).toBe(false);
    expect(opensColumn("inline", box(1280, 800))).toBe(false);
    expect(opensColumn("bubble", box(1280, 800))).toBe(false);
  });
});
