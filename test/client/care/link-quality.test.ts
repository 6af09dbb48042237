import { describe, expect, it } from "vitest";
import { hadGaps, QualityJudge, receivedOf, type Received } from "../../../src/client/care/link-quality.ts";

const nothing: Received = {
  packets: 0,
  lostPackets: 0,
  samples: 0,
  concealedSamples: 0,
  frozenSec: 0,
  roundTripSec: 0.02,
};
const twoSeconds: Received = { ...nothing, packets: 300, samples: 96_000 };

describe("what arrived between two measurements", () => {
  it.each([
    ["everything", {}, false],
    ["a lost packet now and then", { lostPackets: 3 }, false],
    ["one packet of ten lost", { lostPackets: 33 }, true],
    ["sound that the browser made up", { concealedSamples: 9_600 }, true],
    ["a picture that stood still", { frozenSec: 1.2 }, true],
    ["a second to the service and back", { roundTripSec: 1 }, true],
    ["nothing, because nothing was sent", { packets: 0, samples: 0 }, false],
  ])("%s", (_name, change, gaps) => {
    expect(hadGaps(nothing, { ...twoSeconds, ...change })).toBe(gaps);
  });

  it("counts only what came since the last measurement", () => {
    const early = { ...twoSeconds, lostPackets: 100, frozenSec: 4 };
    expect(hadGaps(early, { ...early, packets: 600, samples: 192_000 })).toBe(false);
  });
});

it("reads sound and picture of a browser's report together", () => {
  const report = new Map<string, Record<string, unknown>>([
    [
      "a",
      { type: "inbound-rtp", kind: "audio", packetsReceived: 100, packetsLost: 2, concealedSamples: 960 },
    ],
    ["b", { type: "inbound-rtp", kind: "audio", silentConcealedSamples: 480, totalSamplesReceived: 96_000 }],
    [
      "v",
      { type: "inbound-rtp", kind: "video", packetsReceived: 200, packetsLost: 1, totalFreezesDuration: 0.5 },
    ],
    ["p", { type: "candidate-pair", nominated: true, currentRoundTripTime: 0.12 }],
    ["o", { type: "outbound-rtp", packetsLost: 50 }],
  ]);
  expect(receivedOf(report)).toEqual({
    packets: 300,
    lostPackets: 3,
    samples: 96_000,
    concealedSamples: 480,
    frozenSec: 0.5,
    roundTripSec: 0.12,
  });
});

it("one gap does not make a connection poor, and one good measurement does not make it good again", () => {
  const judge = new QualityJudge();
  const verdicts = [true, false, true, true, false, false, true, false, false, false, false].map((gaps) =>
    judge.judge(gaps),
  );
  const [good, poor] = ["good", "poor"] as const;
  expect(verdicts).toEqual([good, good, good, poor, poor, poor, poor, poor, poor, poor, good]);
});
