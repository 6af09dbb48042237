import { describe, expect, it } from "vitest";
import { levelDb, NoiseGate } from "../../../src/client/voice/activity/noise-gate.ts";
import { SpeechFrames, type SpeechNews } from "../../../src/client/voice/activity/speech-frames.ts";

/** What a stretch of frames tells, with the time of each, in ms. `#` is a vowel, `s` is voiced without a pitch, `.` is neither; each is 10 ms. */
function told(pattern: string, sustainMs = 250): [SpeechNews, number][] {
  const frames = new SpeechFrames();
  return Array.from(pattern).flatMap((sign, index): [SpeechNews, number][] => {
    const news = frames.take(sign !== ".", sustainMs, sign === "#");
    return news ? [[news, (index + 1) * 10]] : [];
  });
}

describe("speech", () => {
  it("begins within 60 ms, and counts after 250 ms", () => {
    const [[onset, onsetMs], [speech, speechMs]] = told(".".repeat(20) + "#".repeat(60)) as [
      [string, number],
      [string, number],
    ];
    expect([onset, speech]).toEqual(["onset", "speech"]);
    expect(onsetMs - 200).toBeLessThanOrEqual(60);
    expect(speechMs - 200).toBeLessThanOrEqual(270);
  });

  it("is no cough, no click and no single frame", () => {
    expect(told("." + "#".repeat(12) + ".".repeat(40)).map(([news]) => news)).toEqual([
      "onset",
      "false-onset",
    ]);
    expect(told("#".repeat(3) + ".".repeat(40))).toEqual([]);
    expect(told("#....".repeat(40))).toEqual([]);
  });

  it("has vowels, which may come late", () => {
    const sounds = told("." + "s".repeat(40) + "#".repeat(10));
    expect(sounds.map(([news]) => news)).toEqual(["onset", "speech"]);
    expect(sounds[1]?.[1]).toBe(450);
  });

  it("is no noise without a pitch, however long it lasts", () => {
    const news = told("s".repeat(500)).map(([kind]) => kind);
    expect(news).not.toContain("speech");
    expect(news.filter((kind) => kind === "false-onset").length).toBeGreaterThanOrEqual(4);
  });

  it("may have gaps between words", () => {
    expect(told("#".repeat(14) + ".".repeat(8) + "#".repeat(14)).map(([news]) => news)).toEqual([
      "onset",
      "speech",
    ]);
  });
});

describe("the time of each news", () => {
  it.each<[string, number, [SpeechNews, number][]]>([
    // Four voiced frames of the last six.
    [
      "#".repeat(60),
      250,
      [
        ["onset", 40],
        ["speech", 250],
      ],
    ],
    ["##..##", 250, [["onset", 60]]],
    ["###...".repeat(9), 250, []],
    [
      "#".repeat(30),
      100,
      [
        ["onset", 40],
        ["speech", 100],
      ],
    ],
    // 160 ms of it are voiced, where it lasts that long.
    [
      "####" + "#..".repeat(15),
      250,
      [
        ["onset", 40],
        ["speech", 380],
      ],
    ],
    [
      "." + "#".repeat(12) + ".".repeat(40),
      250,
      [
        ["onset", 50],
        ["false-onset", 310],
      ],
    ],
    // Without a vowel for a second.
    [
      "s".repeat(200),
      250,
      [
        ["onset", 40],
        ["false-onset", 1_000],
        ["onset", 1_040],
        ["false-onset", 2_000],
      ],
    ],
    // Vowels just before the onset count, those before a silence do not.
    [
      "###s#" + "s".repeat(40),
      250,
      [
        ["onset", 40],
        ["speech", 250],
      ],
    ],
    ["###......#" + "s".repeat(40), 250, [["onset", 130]]],
  ])("%s", (pattern, sustainMs, news) => {
    expect(told(pattern, sustainMs)).toEqual(news);
  });
});

describe("the noise gate", () => {
  /** Shares of frames that stand out, for levels in dB. */
  function share(gate: NoiseGate, levels: number[]): number {
    return levels.filter((db) => gate.isAbove(db)).length / levels.length;
  }
  const noise = (db: number, count: number) =>
    Array.from({ length: count }, (_, index) => db + Math.sin(index * 2) * 3);

  it("learns the noise of a room, and lets speech above it through", () => {
    const gate = new NoiseGate();
    share(gate, noise(-45, 2_000));
    expect(share(gate, noise(-45, 500))).toBeLessThan(0.03);
    expect(share(gate, noise(-25, 300))).toBeGreaterThan(0.9);
  });

  it("takes a long sentence for no noise", () => {
    const gate = new NoiseGate();
    share(gate, noise(-60, 500));
    const sentence = Array.from({ length: 800 }, (_, index) => (index % 10 < 7 ? -25 : -58));
    share(gate, sentence);
    expect(share(gate, noise(-25, 200))).toBeGreaterThan(0.95);
  });

  it("has no trouble with digital silence", () => {
    expect(levelDb(0)).toBe(-80);
    expect(new NoiseGate().isAbove(levelDb(0))).toBe(false);
  });

  it("is 8 dB above the noise, and never below -55 dB", () => {
    expect(new NoiseGate().isAbove(-51.9)).toBe(true);
    expect(new NoiseGate().isAbove(-52)).toBe(false);
    const gate = new NoiseGate();
    share(
      gate,
      Array.from({ length: 100 }, () => -80),
    );
    expect([gate.isAbove(-55), gate.isAbove(-54.9)]).toEqual([false, true]);
  });

  /** What the gate lets through after it has heard a sound. */
  function after(hear: (gate: NoiseGate) => void, db: number): boolean {
    const gate = new NoiseGate();
    hear(gate);
    return gate.isAbove(db);
  }

  it.each<[string, number, (gate: NoiseGate) => void]>([
    [
      "quickly to a sound that is no voice",
      -57,
      (gate) => Array.from({ length: 10 }, () => gate.isAbove(-20, false)),
    ],
    [
      "quickly to a sound without a pitch",
      -57,
      (gate) => Array.from({ length: 10 }, () => gate.isAbove(-20, true, false)),
    ],
    ["slowly to a voice", -59.8, (gate) => Array.from({ length: 10 }, () => gate.isAbove(-20))],
    ["at once, in part, to a softer one", -62, (gate) => gate.isAbove(-70)],
    ["no further than to the sound itself", -59.9, (gate) => gate.isAbove(-59.9, false)],
  ])("adapts %s", (_, floorDb, hear) => {
    expect([after(hear, floorDb + 8.01), after(hear, floorDb + 7.99)]).toEqual([true, false]);
  });

  it("takes a level that does not change for 120 ms for a machine", () => {
    const [steady, changing] = [new NoiseGate(), new NoiseGate()];
    const news = Array.from({ length: 13 }, (_, index) => steady.isAbove(index % 2 === 0 ? -30 : -27.6));
    expect(news).toEqual([...Array.from({ length: 11 }, () => true), false, false]);
    expect(
      share(
        changing,
        Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? -30 : -27.5)),
      ),
    ).toBe(1);
    // It is forgotten as soon as the level changes.
    expect(steady.isAbove(-20)).toBe(true);
  });

  it("knows no voice where there is known to be none", () => {
    expect(new NoiseGate().isAbove(-20, false)).toBe(false);
    expect(new NoiseGate().isAbove(-20, true, false)).toBe(true);
  });

  it("measures levels in dB of full scale", () => {
    expect([levelDb(1), levelDb(0.1), levelDb(1e-6)]).toEqual([0, expect.closeTo(-20), -80]);
  });
});
