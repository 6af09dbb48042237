import { describe, expect, test } from "vitest";
import { faultsOf, measurePhoto, photoAdvice, type PhotoMeasures } from "../../src/photo-making/gates.ts";
import { drawnOnMina } from "./source-fixture.ts";

const good: PhotoMeasures = {
  ...{ pupilPx: 200, rollDeg: 1, yaw: 0.02, mouthGapMm: 0.4, eyesOpen: 0.4, mirrorError: 0.03 },
  ...{ sharpness: 900, brightness: 140, burnt: 0.01 },
};

describe("the gates for photographs", () => {
  test("let a good one pass", () => {
    expect(faultsOf(good)).toEqual([]);
  });

  test("let a smile that shows teeth pass: its lips can be closed", () => {
    expect(faultsOf({ ...good, mouthGapMm: 9 })).toEqual([]);
  });

  test.each([
    ["too_small", { pupilPx: 30 }],
    ["dark", { brightness: 30 }],
    ["bright", { burnt: 0.6 }],
    ["blurred", { sharpness: 2 }],
    ["tilted", { rollDeg: -14 }],
    ["turned", { yaw: 0.2 }],
    ["eyes_closed", { eyesOpen: 0.05 }],
    ["mouth_open", { mouthGapMm: 14 }],
    ["covered", { mirrorError: 0.1 }],
  ] as const)("name what is wrong: %s", (fault, measure) => {
    expect(faultsOf({ ...good, ...measure })).toEqual([fault]);
    expect(photoAdvice[fault]).toMatch(/\.$/);
  });

  test("name everything that is wrong, the most important first", () => {
    expect(faultsOf({ ...good, mouthGapMm: 14, brightness: 20 })).toEqual(["dark", "mouth_open"]);
  });

  test("say that something covers the face only where the face can be seen well", () => {
    expect(faultsOf({ ...good, mirrorError: 0.1, brightness: 20 })).toEqual(["dark"]);
    expect(faultsOf({ ...good, mirrorError: 0.1, sharpness: 2 })).toEqual(["blurred"]);
    expect(faultsOf({ ...good, mirrorError: 0.1, rollDeg: 12 })).toEqual(["tilted", "covered"]);
  });
});

test("a face with dark skin, or in little light, is as sharp as the same face in more light", async () => {
  const { source } = await drawnOnMina();
  const { size, landmarks } = source;
  const sharpness = (light: number): number => {
    const data = source.data.map((value) => value * light);
    return measurePhoto({ width: size, height: size, data, landmarks, mirrored: landmarks }).sharpness;
  };
  const dim = sharpness(0.35);
  expect(dim).toBeGreaterThan(0.8 * sharpness(0.6));
  expect(dim).toBeLessThan(1.25 * sharpness(0.6));
});
