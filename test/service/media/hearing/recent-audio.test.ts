import { expect, it } from "vitest";
import { RecentAudio } from "../../../../src/service/media/hearing/microphone-recording.ts";

/** 10 ms at 48 kHz, of one value. */
const piece = (value: number, channelCount = 1) => ({
  samples: new Int16Array(480 * channelCount).fill(value),
  sampleRate: 48_000,
  channelCount,
});

const values = (recent: RecentAudio, ms: number) => recent.last(ms).map(({ samples }) => samples[0]);

it("keeps the last half second of a track", () => {
  const recent = new RecentAudio();
  for (let count = 0; count < 1_000; count++) recent.take(piece(count));
  expect(values(recent, 30)).toEqual([997, 998, 999]);
  expect(values(recent, 500)).toHaveLength(50);
  expect(values(recent, 0)).toEqual([]);
});

it("counts time, not samples, so that channels do not matter, and is empty after it was cleared", () => {
  const recent = new RecentAudio();
  for (let count = 0; count < 10; count++) recent.take(piece(count, 2));
  expect(values(recent, 20)).toEqual([8, 9]);
  recent.clear();
  expect(values(recent, 500)).toEqual([]);
});
