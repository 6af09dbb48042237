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
});
