import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ServerMessage } from "../../../../src/protocol/session/data-channel.ts";
import { MicrophoneRecording } from "../../../../src/service/media/hearing/microphone-recording.ts";
import {
  SessionRecorder,
  type RecordingEnd,
} from "../../../../src/service/media/hearing/session-recorder.ts";
import type { Recording, RecordingToTranslate } from "../../../../src/service/media/media-engine.ts";
import type { AudioSink, HeardAudio, Track } from "../../../../src/service/media/wrtc.ts";

const microphone: Track = { kind: "audio", stop: () => undefined };
const endStt: RecordingEnd = { type: "record-end-stt", data: {} };

let sinks: AudioSink[];
let isVoice: boolean;
let recognized: Recording[];
let translated: RecordingToTranslate[];
let sent: ServerMessage[];
let recorder: SessionRecorder;

/** A recorder of a session, with a microphone. */
function newRecorder(keepsRecent = true): SessionRecorder {
  const text = { outcome: Promise.resolve({ ok: true as const, text: "a chair" }), abandon: () => undefined };
  const made = new SessionRecorder({
    sinkOf() {
      const sink: AudioSink = { ondata: null, stop: () => sinks.splice(sinks.indexOf(sink), 1) };
      sinks.push(sink);
      return sink;
    },
    hear: () => ({ outcome: Promise.resolve(null), abandon: () => undefined }),
    recognize(recording) {
      recognized.push(recording);
      return text;
    },
    translate(recording) {
      translated.push(recording);
      return text;
    },
    send: (message) => sent.push(message),
    onHeard: () => isVoice,
    onAnswer: () => undefined,
    guard: (handler) => handler,
    keepsRecent,
  });
  made.useMicrophone(microphone);
  return made;
}

beforeEach(() => {
  vi.useFakeTimers();
  [sinks, recognized, translated, sent] = [[], [], [], []];
  isVoice = true;
  recorder = newRecorder();
});

afterEach(() => {
  recorder.close();
  vi.useRealTimers();
});

/** 10 ms of sound, different for each number. */
const piece = (number: number): HeardAudio => ({
  samples: Int16Array.from({ length: 480 }, (_, at) =>
    Math.round(8_000 * Math.sin((at * (number + 1)) / 30)),
  ),
  sampleRate: 48_000,
  channelCount: 1,
});

/** The microphone delivers the pieces from one number to before another. */
function deliver(from: number, to: number): void {
  for (let number = from; number < to; number++) {
    for (const sink of sinks) sink.ondata?.(piece(number));
    vi.advanceTimersByTime(10);
  }
}

/** What a recording of these pieces is. */
function recordingOf(from: number, to: number): Int16Array {
  const recording = new MicrophoneRecording();
  for (let number = from; number < to; number++) recording.take(piece(number));
  return recording.pcm();
}

it("records all that the microphone delivers between the two commands, and answers with its text", async () => {
  deliver(0, 20);
  recorder.start();
  deliver(20, 120);
  recorder.end({ type: "record-end-stt", data: { language: "en" } });
  await vi.runAllTimersAsync();
  expect(recognized).toEqual([{ pcm: recordingOf(20, 120), sampleRateHz: 16_000, language: "en" }]);
  expect(sent).toEqual([{ type: "stt", data: { text: "a chair" } }]);
});

it("begins a recording as long before its command as this says", async () => {
  deliver(0, 80);
  recorder.start({ preroll_ms: 500 });
  deliver(80, 100);
  recorder.end(endStt);
  await vi.runAllTimersAsync();
  expect(recognized[0]?.pcm).toEqual(recordingOf(30, 100));
});

it("has nothing from before where the session has no recognizer", async () => {
  recorder.close();
  recorder = newRecorder(false);
  deliver(0, 50);
  recorder.start({ preroll_ms: 500 });
  deliver(50, 60);
  recorder.end(endStt);
  await vi.runAllTimersAsync();
  expect(recognized[0]?.pcm).toEqual(recordingOf(50, 60));
  expect(sinks).toEqual([]);
});

it("waits for speech that is still on its way when the end is asked for, and not after a silence", async () => {
  recorder.start();
  deliver(0, 10);
  recorder.end(endStt);
  deliver(10, 22);
  deliver(22, 30);
  expect(recognized[0]?.pcm).toEqual(recordingOf(0, 22));
  recorder.start();
  deliver(0, 10);
  isVoice = false;
  deliver(10, 20);
  recorder.end(endStt);
  await vi.advanceTimersByTimeAsync(0);
  deliver(20, 30);
  expect(recognized[1]?.pcm).toEqual(recordingOf(0, 20));
});

it("records a microphone that is added later, and has the recording translated", async () => {
  recorder.useMicrophone(undefined);
  recorder.start();
  recorder.useMicrophone(microphone);
  deliver(0, 50);
  recorder.end({ type: "record-end-translate", data: { src_lang: "en", dst_lang: "ko" } });
  await vi.runAllTimersAsync();
  expect(translated).toEqual([
    { pcm: recordingOf(0, 50), sampleRateHz: 16_000, srcLang: "en", dstLang: "ko" },
  ]);
});
