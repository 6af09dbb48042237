import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AvatarConnection, ConnectionEvents } from "../../../src/client/link/avatar-connection.ts";
import { TypedEvents } from "../../../src/client/typed-events.ts";
import type { ServerMessage } from "../../../src/protocol/session/data-channel.ts";
import { parseCharacter, type PuppetParams } from "../../../src/puppet/index.ts";
import type { Stage } from "../../../src/stage/index.ts";
import { LocalAvatar } from "../../../src/widget/drawing/local/local-avatar.ts";
import { MessageLog } from "../../../src/widget/drawing/message-log.ts";
import { stubPage } from "./stub-page.ts";

const mina = parseCharacter(JSON.parse(readFileSync("public/characters/mina.json", "utf8")));

/** What the avatar was drawn as. */
let poses: PuppetParams[];
let nextFrame: FrameRequestCallback;
let events: TypedEvents<ConnectionEvents>;
let avatar: LocalAvatar;
let mayBeSlow: boolean;
const handleTooSlow = vi.fn();

beforeEach(() => {
  // Otherwise a speech may be over when the mouth is looked at.
  vi.useFakeTimers({ toFake: ["performance"] });
  poses = [];
  mayBeSlow = true;
  handleTooSlow.mockClear();
  stubPage((step) => (nextFrame = step));
  const canvas = {} as HTMLCanvasElement;
  const painting = {
    canvas,
    draw: (pose: PuppetParams) => poses.push(pose),
    resize: vi.fn(),
    destroy: vi.fn(),
  };
  const stage = { use: vi.fn(), avatarRect: () => ({ left: 0, top: 0, width: 1, height: 1 }) };
  avatar = new LocalAvatar({ motion: mina, paint: () => painting }, stage as unknown as Stage, {
    mayBeSlow: () => mayBeSlow,
    isOnlyWay: () => false,
    isReduced: true,
    framePx: 480,
    isSpeaking: () => false,
    visitorLevel: () => null,
    handleTooSlow,
  });
  events = new TypedEvents<ConnectionEvents>();
  const link = { stream: null, peerConnection: { getStats: () => Promise.resolve(new Map()) } };
  const connection = { events, link } as unknown as AvatarConnection;
  avatar.drive(connection, new MessageLog(connection), vi.fn());
});

afterEach(() => {
  avatar.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const notice: ServerMessage = {
  type: "stf",
  data: { message: "Hello", duration: 900, visemes: [{ viseme: "aa", start: 0, end: 900 }], loudness: [1] },
};

/** How far the mouth opens in the next second. */
function mouthIn(): number {
  poses = [];
  const nowMs = performance.now();
  for (let ms = 0; ms < 1_000; ms += 20) nextFrame(nowMs + ms);
  const openings = poses.map(({ visemeWeights = {} }) =>
    Object.values(visemeWeights).reduce((sum, weight) => sum + weight, 0),
  );
  return Math.max(...openings);
}

const ask = (): void => events.emit("sent", { type: "ttstf", data: { message: "Hello" } });

describe("an avatar that is drawn here", () => {
  it("speaks what the service tells", () => {
    ask();
    events.emit("message", notice);
    expect(mouthIn()).toBeGreaterThan(0.3);
  });

  it("does not begin a speech that was stopped before its notice was here", () => {
    ask();
    events.emit("sent", { type: "clear-buffer", data: {} });
    events.emit("message", notice);
    expect(mouthIn()).toBeLessThan(0.05);
  });

  it("speaks again what it is asked for afterwards", () => {
    events.emit("sent", { type: "clear-buffer", data: {} });
    ask();
    events.emit("message", notice);
    expect(mouthIn()).toBeGreaterThan(0.3);
  });

  it("is a still picture as soon as the browser is known to show too few frames", () => {
    mayBeSlow = false;
    const nowMs = performance.now();
    for (let ms = 0; ms < 10_000 && handleTooSlow.mock.calls.length === 0; ms += 200) {
      expect(cancelAnimationFrame).not.toHaveBeenCalled();
      nextFrame(nowMs + ms);
    }
    expect(handleTooSlow).toHaveBeenCalledOnce();
    expect(cancelAnimationFrame).toHaveBeenCalledOnce();
  });
});
