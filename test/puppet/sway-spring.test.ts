import { describe, expect, it } from "vitest";
import { SwaySpring } from "../../src/puppet/behaviour/sway-spring.ts";
import { swayDefaults } from "../../src/puppet/format/rig-settings.ts";

const pose = (headTurn: number) => ({ headTurn, headTilt: 0, headNod: 0 });

describe("secondary motion", () => {
  it("is zero at rest", () => {
    const spring = new SwaySpring(swayDefaults);
    for (let i = 0; i < 50; i++) expect(spring.step(pose(0.3), 16)).toEqual({ swayX: 0, swayY: 0 });
  });

  it("lags to the left when the head turns right, overshoots and comes to rest", () => {
    const spring = new SwaySpring(swayDefaults);
    spring.step(pose(0), 16);
    const sways = Array.from({ length: 240 }, () => spring.step(pose(0.2), 16).swayX);
    expect(Math.min(...sways)).toBeLessThan(-0.5);
    expect(Math.max(...sways)).toBeGreaterThan(0.1);
    expect(Math.abs(sways.at(-1)!)).toBeLessThan(0.01);
  });

  it("is the same for any frame rate", () => {
    const after = (frameMs: number): number => {
      const spring = new SwaySpring(swayDefaults);
      spring.step(pose(0), frameMs);
      let swayX = 0;
      for (let ms = 0; ms < 400; ms += frameMs) ({ swayX } = spring.step(pose(0.1), frameMs));
      return swayX;
    };
    expect(after(50)).toBeCloseTo(after(25), 3);
  });
});
