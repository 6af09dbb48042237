import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseCharacter } from "../../../src/puppet/index.ts";
import type { Stage } from "../../../src/stage/index.ts";
import { LocalCharacter } from "../../../src/widget/drawing/local/local-character.ts";
import type { Look, Painting } from "../../../src/widget/drawing/local/look.ts";
import { stubPage } from "./stub-page.ts";

const motion = parseCharacter(JSON.parse(readFileSync("public/characters/mina.json", "utf8")));
const options = {
  mayBeSlow: () => true,
  isOnlyWay: () => false,
  isReduced: true,
  framePx: 480,
  isSpeaking: () => false,
  visitorLevel: () => null,
  handleTooSlow: () => undefined,
};
/** Later than any browser without `requestIdleCallback` is taken to be idle. */
const idleMs = 100;

let sizes: number[];
let destroyed: number;
let drawMs: number;
const look: Look = {
  motion,
  paint: (size): Painting => {
    sizes.push(size);
    const canvas = {} as HTMLCanvasElement;
    return {
      canvas,
      draw: () => vi.advanceTimersByTime(drawMs),
      resize: vi.fn(),
      destroy: () => (destroyed += 1),
    };
  },
};
const stage = {
  use: vi.fn(),
  avatarRect: () => ({ left: 0, top: 0, width: 1, height: 1 }),
};
const wear = (character: LocalCharacter): ReturnType<LocalCharacter["avatar"]> =>
  character.avatar(stage as unknown as Stage, options);

beforeEach(() => {
  sizes = [];
  destroyed = drawMs = 0;
  vi.useFakeTimers();
  stubPage();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

describe("a character that the browser draws", () => {
  it("is painted when the page is idle, and appears with that picture", async () => {
    const character = await LocalCharacter.load(look, () => 320);
    expect(sizes).toEqual([]);
    await vi.advanceTimersByTimeAsync(idleMs);
    expect(sizes).toEqual([320]);
    wear(character).appear();
    expect(sizes).toEqual([320]);
    expect(stage.use).toHaveBeenCalledOnce();
  });

  it("is there although it could not be painted ahead, and is painted when it is needed", async () => {
    let isAble = false;
    const failing: Look = {
      ...look,
      paint(...given) {
        if (!isAble) throw new Error("No memory.");
        return look.paint(...given);
      },
    };
    const character = await LocalCharacter.load(failing, () => 320);
    await vi.advanceTimersByTimeAsync(idleMs);
    isAble = true;
    wear(character).appear();
    expect(sizes).toEqual([480]);
  });

  it("is painted once, in its real size, if it is needed before that", async () => {
    wear(await LocalCharacter.load(look, () => 320)).appear();
    await vi.advanceTimersByTimeAsync(idleMs);
    expect(sizes).toEqual([480]);
  });

  it("is not painted ahead if it takes another one's place at once", async () => {
    const first = await LocalCharacter.load(look, () => 320);
    const avatar = wear(first);
    avatar.appear();
    const second = await LocalCharacter.load(look, () => 320);
    second.replaceIn(avatar);
    await vi.advanceTimersByTimeAsync(idleMs);
    expect(sizes).toEqual([480, 480]);
  });

  it("keeps the picture that its cost was measured with", async () => {
    const character = await LocalCharacter.load(
      look,
      () => 320,
      () => Promise.resolve(),
    );
    wear(character).appear();
    expect(sizes).toEqual([320]);
  });

  it("is refused, with its picture gone, if a frame costs too much", async () => {
    drawMs = 20;
    const loading = LocalCharacter.load(
      look,
      () => 320,
      () => Promise.resolve(),
    );
    await expect(loading).rejects.toThrow("Too slow.");
    expect([sizes, destroyed]).toEqual([[320], 1]);
  });

  it("frees a picture that was never shown", async () => {
    const characters = [];
    for (let i = 0; i < 2; i++) characters.push(await LocalCharacter.load(look, () => 320));
    await vi.advanceTimersByTimeAsync(idleMs);
    wear(characters[0]!).stop();
    expect(destroyed).toBe(1);
    characters[1]!.drop();
    expect(destroyed).toBe(2);
  });

  it("is not painted any more once the element is gone", async () => {
    (await LocalCharacter.load(look, () => 320)).drop();
    await vi.advanceTimersByTimeAsync(idleMs);
    expect(sizes).toEqual([]);
  });
});
