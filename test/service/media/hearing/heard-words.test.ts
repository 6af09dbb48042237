import { beforeEach, describe, expect, it } from "vitest";
import { LiveWords } from "../../../../src/service/media/hearing/live-words.ts";
import { MicrophoneRecording } from "../../../../src/service/media/hearing/microphone-recording.ts";
import { PauseWords } from "../../../../src/service/media/hearing/pause-words.ts";
import type {
  Recording,
  RecordingOutcome,
  RecordingPiece,
} from "../../../../src/service/media/media-engine.ts";

let told: string[];
let recording: MicrophoneRecording;
const base = {
  onWords: (text: string) => void told.push(text),
  guard: <Handler>(handler: Handler) => handler,
};

beforeEach(() => {
  told = [];
  recording = new MicrophoneRecording();
});

/** Questions to a recognizer, and their answers. */
function recognizer<Wanted, Outcome>() {
  const asked: { wanted: Wanted; answer: (outcome: Outcome) => void; isAbandoned: boolean }[] = [];
  const ask = (wanted: Wanted) => {
    const one = { wanted, answer: (_: Outcome): void => undefined, isAbandoned: false };
    asked.push(one);
    const outcome = new Promise<Outcome>((resolve) => (one.answer = resolve));
    return { outcome, abandon: () => void (one.isAbandoned = true) };
  };
  /** Answers the last question. Resolves after everything that follows from it. */
  const answered = async (outcome: Outcome): Promise<void> => {
    asked.at(-1)?.answer(outcome);
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { asked, ask, answered };
}

/** So much is recorded, in ms. */
function recordFor(words: LiveWords | PauseWords, ms: number, isVoice: boolean): void {
  for (let at = 0; at < ms; at += 10) {
    recording.take({ samples: new Int16Array(160).fill(at), sampleRate: 16_000, channelCount: 1 });
    words.handleHeard(isVoice);
  }
}

describe("a recognizer that streams", () => {
  let pieces: RecordingPiece[];
  let answered: (text: string | null) => Promise<void>;
  let live: LiveWords;

  function begin(): void {
    recording = new MicrophoneRecording();
    live.begin(recording);
  }

  beforeEach(() => {
    const { ask, ...asked } = recognizer<RecordingPiece, string | null>();
    pieces = [];
    answered = asked.answered;
    live = new LiveWords({ ...base, hear: (piece) => (pieces.push(piece), ask(piece)) });
    begin();
  });

  /** Lets the answers that came meanwhile arrive. */
  async function record(ms: number, isVoice = true): Promise<void> {
    recordFor(live, ms, isVoice);
    await Promise.resolve();
  }

  it("gets what was recorded piece by piece, each after the answer to the one before", async () => {
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

  it("gets no silence, but the sound shortly before the voice", async () => {
    await record(2_000, false);
    expect(pieces).toEqual([]);
    await record(10);
    expect(pieces[0]?.pcm.length).toBeGreaterThan(31_000);
  });

  it("is not quoted with words that have not changed, nor with those of a recording that is over", async () => {
    for (const text of ["hello", "hello"]) {
      await record(300);
      await answered(text);
    }
    await record(300);
    live.end();
    await answered("hello there");
    expect(told).toEqual(["hello"]);
  });

  it("is asked once if it cannot", async () => {
    await record(300);
    await answered(null);
    await record(600);
    expect(live.end()).toBeUndefined();
    begin();
    await record(600);
    expect(pieces).toHaveLength(1);
  });

  it("is told when a recording is dropped, because another one begins or the session ends", async () => {
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
});

describe("a pause", () => {
  let heard: ReturnType<typeof recognizer<Recording, RecordingOutcome>>;
  let pauses: PauseWords;

  beforeEach(() => {
    heard = recognizer();
    pauses = new PauseWords({ ...base, recognize: heard.ask });
    pauses.begin(recording, "en");
  });

  /** A voice, and a pause after it, in ms. */
  function record(voiceMs: number, pauseMs = 100): void {
    recordFor(pauses, voiceMs, true);
    recordFor(pauses, pauseMs, false);
  }

  it("has the recording recognized once, and its words told", async () => {
    record(600, 300);
    expect(heard.asked.map(({ wanted }) => wanted)).toEqual([
      expect.objectContaining({ language: "en", isSpeculative: true, sampleRateHz: 16_000 }),
    ]);
    // The resampler holds the last samples back.
    expect(Math.round((heard.asked[0]?.wanted.pcm.length ?? 0) / 160)).toBe(61);
    await heard.answered({ ok: true, text: "how much is it" });
    expect(told).toEqual(["how much is it"]);
  });

  it("gives its text to the end of the recording that comes in it", async () => {
    record(600);
    const text = pauses.end("en");
    await heard.answered({ ok: true, text: "how much is it" });
    expect(await text?.outcome).toEqual({ ok: true, text: "how much is it" });
    expect([heard.asked[0]?.isAbandoned, told]).toEqual([false, []]);
  });

  it("after which the visitor goes on counts for nothing, and the next one is recognized", async () => {
    record(600);
    record(300, 0);
    expect(heard.asked[0]?.isAbandoned).toBe(true);
    await heard.answered({ ok: true, text: "how much" });
    expect([pauses.end("en"), told]).toEqual([undefined, []]);
    pauses.begin(recording, "en");
    record(400);
    expect(heard.asked).toHaveLength(2);
  });

  it.each([150, 21_000])("after %i ms is not recognized: what was said is too short or too long", (ms) => {
    record(ms, 300);
    expect(heard.asked).toEqual([]);
  });

  it("is recognized at most three times in a recording", () => {
    for (let pause = 0; pause < 6; pause++) record(400);
    expect(heard.asked).toHaveLength(3);
  });

  it("of a recording that ends in another language, or is dropped, is abandoned", () => {
    record(600);
    expect(pauses.end("ko")).toBeUndefined();
    expect(heard.asked[0]?.isAbandoned).toBe(true);
    pauses.begin(recording, undefined);
    record(600);
    pauses.drop();
    expect(heard.asked[1]?.isAbandoned).toBe(true);
  });
});
