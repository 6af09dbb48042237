import { beforeEach, expect, it } from "vitest";
import { LiveWords } from "../../../../src/service/media/hearing/live-words.ts";
import type { RecordingPiece } from "../../../../src/service/media/media-engine.ts";
import { MicrophoneRecording } from "../../../../src/service/media/hearing/microphone-recording.ts";

let pieces: RecordingPiece[];
let told: string[];
let answer: (text: string | null) => void;
let live: LiveWords;
let recording: MicrophoneRecording;

beforeEach(() => {
  pieces = [];
  told = [];
  live = new LiveWords({
    hear(piece) {
      pieces.push(piece);
      return {
        outcome: new Promise((resolve) => (answer = resolve)),
        abandon: () => undefined,
      };
    },
    onWords: (text) => told.push(text),
    guard: (handler) => handler,
  });
  begin();
});

function begin(): void {
  recording = new MicrophoneRecording();
  live.begin(recording);
}

/** So much is recorded, in ms. Lets the answers that came meanwhile arrive. */
async function record(ms: number, isVoice = true): Promise<void> {
  for (let at = 0; at < ms; at += 10) {
    const samples = new Int16Array(160).fill(at);
    recording.take({ samples, sampleRate: 16_000, channelCount: 1 });
    live.handleHeard(isVoice);
  }
  await Promise.resolve();
}

async function answered(text: string | null): Promise<void> {
  answer(text);
  await new Promise((resolve) => setTimeout(resolve));
}

it("gives what was recorded piece by piece, each after the answer to the one before", async () => {
  await record(700);
  expect(pieces).toHaveLength(1);
  await answered("how");
  await record(10);
  expect(pieces).toHaveLength(2);
  await answered("how long");
  expect(told).toEqual(["how", "how long"]);
  const given = pieces.flatMap(({ pcm }) => [...pcm]);
  expect(given).toEqual([...recording.pcm()].slice(0, given.length));
  expect(live.end()).toEqual({ recordingId: pieces[0]?.recordingId, samples: given.length });
});

it("passes on no silence, but the sound shortly before the voice", async () => {
  await record(2_000, false);
  expect(pieces).toEqual([]);
  await record(10);
  expect(pieces[0]?.pcm.length).toBeGreaterThan(31_000);
});

it("does not repeat words that have not changed, and tells none of a recording that is over", async () => {
  await record(300);
  await answered("hello");
  await record(300);
  await answered("hello");
  await record(300);
  live.end();
  await answered("hello there");
  expect(told).toEqual(["hello"]);
});

it("asks a recognizer that cannot stream once", async () => {
  await record(300);
  await answered(null);
  await record(600);
  expect(live.end()).toBeUndefined();
  begin();
  await record(600);
  expect(pieces).toHaveLength(1);
});

it("tells when a recording is dropped, because another one begins or the session ends", async () => {
  await record(300);
  begin();
  await record(300);
  live.drop();
  live.drop();
  expect(pieces.map(({ isDropped }) => isDropped)).toEqual([false, true, false, true]);
  const [first, dropped, second, last] = pieces.map(({ recordingId }) => recordingId);
  expect([dropped, last]).toEqual([first, second]);
  expect(second).not.toBe(first);
});
