import { describe, expect, test } from "vitest";
import { checkLines } from "../../../src/console/photo/verdict-view.ts";
import { gesturePose } from "../../../src/console/photo/face-preview.ts";
import { photoFaults, type PhotoFault } from "../../../src/photo-making/photo-faults.ts";

type Verdict = Parameters<typeof checkLines>[0];

const source = "visavis-photo-maker";

const refused = (...faults: PhotoFault[]): Verdict => ({
  source,
  id: 1,
  type: "refused",
  faults,
  advice: [],
});

function made(pupilPx: number, mouthGapMm = 0.4): Verdict {
  const stills = { poster: new Blob(), porthole: new Blob() };
  const measures = { pupilPx, mouthGapMm };
  return { source, id: 1, type: "made", character: {}, hasGlasses: false, measures, ...stills };
}

const statesOf = (verdict: Verdict): Record<string, string> =>
  Object.fromEntries(checkLines(verdict).map(({ check, state }) => [check, state]));

describe("what a page says about a photograph", () => {
  test("is good in every line where a face was made", () => {
    expect(new Set(Object.values(statesOf(made(200))))).toEqual(new Set(["good"]));
  });

  test("is a hint where the face is small, and works", () => {
    expect(statesOf(made(70))).toMatchObject({ sharp: "hint", mouth: "good" });
  });

  test("is a hint where a smile was closed", () => {
    expect(statesOf(made(200, 8))).toMatchObject({ sharp: "good", mouth: "hint" });
  });

  test("names each fault in its line, and what is good in the others", () => {
    expect(statesOf(refused("mouth_open", "dark"))).toMatchObject({
      mouth: "bad",
      light: "bad",
      one: "good",
    });
  });

  test("says nothing about a face that was not found", () => {
    expect(statesOf(refused("no_face"))).toMatchObject({ one: "bad", mouth: "unknown", light: "unknown" });
  });

  test("does not know whether an unclear face is covered", () => {
    for (const fault of ["too_small", "dark", "bright", "blurred"] as const)
      expect(statesOf(refused(fault))).toMatchObject({ whole: "unknown", one: "good" });
    expect(statesOf(refused("dark", "cut_off"))).toMatchObject({ whole: "bad" });
  });

  test("is no list where the file is no photograph", () => {
    expect(checkLines(refused("animated"))).toEqual([]);
  });

  test("has a line for every fault of a face", () => {
    const ofFile = ["not_a_picture", "animated", "too_many_pixels"];
    for (const fault of photoFaults.filter((one) => !ofFile.includes(one)))
      expect(checkLines(refused(fault)).flatMap(({ faults }) => faults)).toEqual([fault]);
  });
});

describe("a gesture of the preview", () => {
  test("closes the eyes and opens them again", () => {
    expect(gesturePose("blink", 350)?.blink).toBeCloseTo(1);
    expect(gesturePose("blink", 0)?.blink).toBeCloseTo(0);
    expect(gesturePose("blink", 700)).toBeNull();
  });

  test("turns the head to both sides", () => {
    expect(gesturePose("turn", 800)?.headTurn).toBeCloseTo(1);
    expect(gesturePose("turn", 2_400)?.headTurn).toBeCloseTo(-1);
    expect(gesturePose("turn", 3_200)).toBeNull();
  });
});
