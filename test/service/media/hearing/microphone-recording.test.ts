import { describe, expect, it } from "vitest";
import {
  MicrophoneRecording,
  RecentAudio,
} from "../../../../src/service/media/hearing/microphone-recording.ts";
import { VoicePresence } from "../../../../src/service/media/hearing/voice-presence.ts";

/** 10 ms of a level on each channel. */
function heard(sampleRate: number, ...levels: number[]): Parameters<MicrophoneRecording["take"]>[0] {
  const length = (sampleRate / 100) * levels.length;
  const samples = Int16Array.from({ length }, (_, index) => levels[index % levels.length]!);
  return { samples, sampleRate, channelCount: levels.length };
}

describe("a microphone's recording", () => {
  it("keeps the first minute, and is empty without sound", () => {
    const recording = new MicrophoneRecording();
    expect(recording.pcm()).toHaveLength(0);
    for (let count = 0; count < 6_100; count++) recording.take(heard(48_000, 0));
    expect(recording.pcm()).toHaveLength(60 * 16_000);
  });

  it("mixes stereo to mono", () => {
    const recording = new MicrophoneRecording();
    for (let count = 0; count < 10; count++) recording.take(heard(48_000, 1_000, 3_000));
    expect(Math.abs(recording.pcm()[800]! - 2_000)).toBeLessThan(10);
  });

  it("continues when the track's rate changes", () => {
    const recording = new MicrophoneRecording();
    for (const rateHz of [48_000, 8_000])
      for (let count = 0; count < 10; count++) recording.take(heard(rateHz, 1_000));
    expect(recording.pcm().length).toBeGreaterThan(3_100);
    expect(recording.pcm().length).toBeLessThanOrEqual(3_200);
  });
});

describe("the recent audio of a track", () => {
  const values = (recent: RecentAudio, ms: number) => recent.last(ms).map(({ samples }) => samples[0]);

  it("is the last half second", () => {
    const recent = new RecentAudio();
    for (let count = 0; count < 1_000; count++) recent.take(heard(48_000, count));
    expect(values(recent, 30)).toEqual([997, 998, 999]);
    expect(values(recent, 500)).toHaveLength(50);
    expect(values(recent, 0)).toEqual([]);
  });

  it("counts time, not samples, so that channels do not matter, and is empty after it was cleared", () => {
    const recent = new RecentAudio();
    for (let count = 0; count < 10; count++) recent.take(heard(48_000, count, count));
    expect(values(recent, 20)).toEqual([8, 9]);
    recent.clear();
    expect(values(recent, 500)).toEqual([]);
  });
});

describe("a voice", () => {
  /** Whether it is heard in each 10 ms of a tone. */
  function isHeard(presence: VoicePresence, level: number, calls: number): boolean[] {
    const tone = Int16Array.from({ length: 480 }, (_, i) => Math.round(level * Math.sin(i * 0.05)));
    return Array.from({ length: calls }, () => presence.take(tone));
  }

  it("is heard above a quiet background, goes on over the short gaps in a word, and ends with it", () => {
    const presence = new VoicePresence();
    expect(isHeard(presence, 20, 100)).not.toContain(true);
    expect(isHeard(presence, 4_000, 50).at(-1)).toBe(true);
    expect(isHeard(presence, 20, 20).at(-1)).toBe(false);
    isHeard(presence, 4_000, 20);
    expect(isHeard(presence, 20, 5)).not.toContain(false);
  });

  it("is not steady noise", () => {
    expect(isHeard(new VoicePresence(), 3_000, 1_500).at(-1)).toBe(false);
  });
});
