import { describe, expect, it } from "vitest";
import { MicrophoneRecording } from "../../../../src/service/media/hearing/microphone-recording.ts";

/** 10 ms of a level on each channel. */
function heard(sampleRate: number, ...levels: number[]): Parameters<MicrophoneRecording["take"]>[0] {
  const channelCount = levels.length;
  const samples = Int16Array.from(
    { length: (sampleRate / 100) * channelCount },
    (_, index) => levels[index % channelCount]!,
  );
  return { samples, sampleRate, channelCount };
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
    expect(recording.pcm()[800]).toBeGreaterThan(1_990);
    expect(recording.pcm()[800]).toBeLessThan(2_010);
  });

  it("continues when the track's rate changes", () => {
    const recording = new MicrophoneRecording();
    for (const rateHz of [48_000, 8_000])
      for (let count = 0; count < 10; count++) recording.take(heard(rateHz, 1_000));
    expect(recording.pcm().length).toBeGreaterThan(3_100);
    expect(recording.pcm().length).toBeLessThanOrEqual(3_200);
  });
});
