import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HeardClock } from "../../../src/widget/drawing/local/heard-clock.ts";

const connection = {
  events: { emit: vi.fn() },
  link: { stream: { getAudioTracks: () => [{} as MediaStreamTrack] }, peerConnection: null },
};

const listens = vi.fn();

beforeEach(() => {
  listens.mockReset();
  vi.stubGlobal(
    "AudioContext",
    class {
      constructor() {
        listens();
      }
      createAnalyser(): object {
        return {};
      }
      createMediaStreamSource(): object {
        return { connect: () => undefined };
      }
      close(): Promise<void> {
        return Promise.resolve();
      }
    },
  );
  vi.stubGlobal("MediaStream", vi.fn());
});
afterEach(() => vi.unstubAllGlobals());

describe("the face's clock on a peer connection", () => {
  it("is behind by a usual delay at once, and then listens to the sound", async () => {
    const clock = new HeardClock(connection, vi.fn());
    expect(clock.step(1_000)).toBe(940);
    expect(listens).not.toHaveBeenCalled();
    await vi.waitFor(() => expect(listens).toHaveBeenCalledOnce());
    clock.close();
  });

  it("does not listen when it was closed before it could", async () => {
    new HeardClock(connection, vi.fn()).close();
    await import("../../../src/widget/drawing/local/sound-delay.ts");
    await new Promise((resolve) => setTimeout(resolve));
    expect(listens).not.toHaveBeenCalled();
  });
});
