import { describe, expect, it } from "vitest";
import { momentAt, type Ends } from "../../../src/widget/motion/opening-player.ts";

describe("the opening motion", () => {
  const ends: Ends = {
    launcher: { left: 312, top: 568, width: 72, height: 72 },
    panel: { width: 384, height: 640, radius: 32 },
    frame: { left: 10, top: 10, width: 364, height: 424, radius: 22 },
    mat: 10,
  };

  it("begins as the launcher and ends as the panel, unscaled", () => {
    expect(momentAt(ends, 0).panel).toEqual({ ...ends.launcher, radius: 36 });
    expect(momentAt(ends, 0).frame).toMatchObject({ left: 319, top: 575, width: 58, height: 58 });
    expect(momentAt(ends, 1)).toMatchObject({ scale: 1, left: 10, top: 10, frame: ends.frame });
  });

  it("never shows an edge of the picture inside its frame", () => {
    for (let part = 0; part <= 1; part += 0.02) {
      const { frame, scale, left, top } = momentAt(ends, part);
      expect(left).toBeLessThanOrEqual(frame.left + 0.01);
      expect(top).toBeLessThanOrEqual(frame.top + 0.01);
      expect(left + 364 * scale).toBeGreaterThanOrEqual(frame.left + frame.width - 0.01);
      expect(top + 424 * scale).toBeGreaterThanOrEqual(frame.top + frame.height - 0.01);
    }
  });
});
