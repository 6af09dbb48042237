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
  readonly state = "running";
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
