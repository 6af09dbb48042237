import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SoundDelay } from "../../../src/widget/drawing/local/sound-delay.ts";
import { VoiceClock } from "../../../src/widget/drawing/local/voice-clock.ts";

const frameMs = 1_000 / 60;
const durationMs = 4_000;
const speaks = (ms: number): number =>
  ms < 0 || ms > durationMs ? 0 : Math.max(0, Math.sin(ms / 60 + Math.sin(ms / 220) * 2));
const loudness = Array.from({ length: durationMs / 20 }, (_, i) => speaks((i + 0.5) * 20));
const sampleRate = 48_000;
const notice = { message: "Hello", duration: durationMs };

/** What the loudspeaker plays at a time of the page: a speech that is heard from `heardFromMs` on. */
let heardFromMs = 0;
let nowMs = 0;

class PlayedSound {
  /** What browsers say of sound that a page has begun by itself. */
  static first: AudioContextState = "running";
  state = PlayedSound.first;
  readonly sampleRate = sampleRate;
  readonly outputLatency = 0;
  createAnalyser(): object {
    return {
      getFloatTimeDomainData(samples: Float32Array): void {
        const middleMs = nowMs - (samples.length * 500) / sampleRate;
        samples.fill(10 ** (1.3 * (speaks(middleMs - heardFromMs) - 1)));
      },
    };
  }
  createMediaStreamSource(): object {
    return { connect: () => undefined };
  }
  resume(): Promise<void> {
    this.state = "running";
    return Promise.resolve();
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}

beforeEach(() => {
  vi.stubGlobal("AudioContext", PlayedSound);
  vi.stubGlobal("MediaStream", vi.fn());
});
afterEach(() => vi.unstubAllGlobals());

const connection = {
  events: { emit: vi.fn() },
  link: { stream: { getAudioTracks: () => [{} as MediaStreamTrack] }, peerConnection: null },
};

interface Followed {
  readonly delayMs: number;
  /** When the face began a speech anew. */
  readonly late: number[];
}

/** A speech is heard from one time on and announced at another. */
function follow(heardAtMs: number, announcedAtMs: number): Followed {
  const late: number[] = [];
  const clock = new VoiceClock();
  const delay = new SoundDelay(connection, clock, (_, atMs) => late.push(atMs));
  heardFromMs = heardAtMs;
  let isAnnounced = false;
  for (nowMs = 0; nowMs < heardAtMs + durationMs; nowMs += frameMs) {
    if (!isAnnounced && nowMs >= announcedAtMs) {
      isAnnounced = true;
      delay.announce({ atMs: announcedAtMs, data: notice, loudness });
    }
    delay.hear(nowMs);
  }
  delay.close();
  return { delayMs: clock.delayMs, late };
}

/** A picture is seen so much later than it is drawn. */
const displayMs = 16;

describe("the delay of the sound", () => {
  it("is how much later a speech is heard than announced", () => {
    const { delayMs, late } = follow(1_140, 1_000);
    expect(Math.abs(delayMs + displayMs - 140)).toBeLessThanOrEqual(6);
    expect(late).toEqual([]);
  });

  it.each([300, 700, 1_200])("is known too when the notice comes %d ms after its sound", (lateMs) => {
    const heardAtMs = 1_000;
    const { delayMs, late } = follow(heardAtMs, heardAtMs + lateMs);
    // The face begins its speech anew, as if it had been announced in time.
    expect(late).toHaveLength(1);
    const begunAtMs = (late[0] ?? NaN) + delayMs + displayMs;
    expect(Math.abs(begunAtMs - heardAtMs)).toBeLessThanOrEqual(8);
  });
});

describe("sound that the browser blocks until the visitor does something", () => {
  afterEach(() => {
    PlayedSound.first = "running";
    vi.useRealTimers();
  });

  it("is heard from then on, and not before", () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    PlayedSound.first = "suspended";
    const userActivation = { hasBeenActive: false };
    vi.stubGlobal("navigator", { userActivation });
    const delay = new SoundDelay(connection, new VoiceClock(), vi.fn());
    const wait = (): number => {
      vi.advanceTimersByTime(1_000);
      return mouthAfter(delay, performance.now());
    };
    expect(wait()).toBe(0);
    userActivation.hasBeenActive = true;
    expect(wait()).toBeGreaterThan(0.1);
    delay.close();
  });
});

/** A data channel on which parts arrive. */
class PartChannel {
  onmessage: ((event: { data: string }) => void) | null = null;
}

const word = { text: "Hello", start: 0, end: 400 };

/** What the face is told to say of a speech, whose notice and parts come when they are called. */
function begin(hasChannel = true) {
  const channel = new PartChannel();
  const opened: unknown[] = [];
  const createDataChannel = (...words: unknown[]): RTCDataChannel => {
    opened.push(words);
    if (!hasChannel) throw new Error("InvalidStateError");
    return channel as never;
  };
  const peerConnection = { getStats: () => Promise.resolve(new Map()) as never, createDataChannel };
  const said: { notice: object; atMs: number }[] = [];
  const delay = new SoundDelay(
    { ...connection, link: { ...connection.link, peerConnection } },
    new VoiceClock(),
    (notice, atMs) => said.push({ notice, atMs }),
  );
  const arrive = (from: number): void => {
    const clock = { speech: 1, began: 0, sent: 0 };
    const told = { duration: 4_000, from, to: from + 400, visemes: "aa400", accents: [], loudness: "z" };
    channel.onmessage?.({ data: JSON.stringify({ ...clock, ...told }) });
  };
  return { delay, said, opened, arrive };
}

/** How far the mouth is open after hearing a loud voice for a while, from then on. */
function mouthAfter(delay: SoundDelay, fromMs: number): number {
  heardFromMs = fromMs - 1_000;
  for (nowMs = fromMs; nowMs < fromMs + 300; nowMs += frameMs) delay.hear(nowMs);
  const { visemeWeights = {} } = delay.withMouth({});
  return Object.values(visemeWeights).reduce((sum, weight) => sum + weight, 0);
}

describe("what is told of a speech on the channel of parts", () => {
  // Otherwise it may be over when the mouth is looked at.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  it("is asked for without order, once for each connection", () => {
    const { delay, opened } = begin();
    delay.listen();
    expect(opened).toEqual([["speech", { ordered: false }]]);
    delay.close();
  });

  it("is said by the face, with the words of the notice", () => {
    const { delay, said, arrive } = begin();
    arrive(0);
    expect(said.at(-1)?.notice).toMatchObject({ visemes: [{ viseme: "aa", start: 0, end: 400 }], words: [] });
    delay.announce({
      atMs: 0,
      data: { message: "Hello", duration: 4_000, words: [word], speech: 1 },
      loudness: null,
    });
    arrive(400);
    expect(said.at(-1)?.notice).toMatchObject({ visemes: [{ end: 400 }, { end: 800 }], words: [word] });
    delay.close();
  });

  it("is not said any more once the speech was stopped", () => {
    const { delay, said, arrive } = begin();
    arrive(0);
    delay.announce(null);
    arrive(400);
    expect(said).toHaveLength(1);
    delay.close();
  });

  it("is replaced by the loudness of the voice while it is missing, and never by a second mouth", () => {
    const { delay, arrive } = begin();
    expect(mouthAfter(delay, performance.now())).toBeGreaterThan(0.1);
    arrive(0);
    expect(mouthAfter(delay, performance.now())).toBe(0);
    delay.close();
  });

  it("is not missed where another channel cannot be opened: the notice says all", () => {
    const { delay, said } = begin(false);
    delay.announce({ atMs: 0, data: { message: "Hello", duration: 400, words: [word] }, loudness: [1] });
    expect(said).toEqual([]);
    delay.close();
  });

  it("is made of the words where neither it nor the sound can be had", () => {
    vi.stubGlobal("AudioContext", undefined);
    const { delay, said } = begin(false);
    delay.announce({ atMs: 70, data: { message: "Hello", duration: 400, words: [word] }, loudness: null });
    expect(said).toMatchObject([
      { atMs: 70, notice: { visemes: [{ viseme: "aa", start: 0 }, {}, {}, {}, {}, {}] } },
    ]);
    delay.close();
  });
});
