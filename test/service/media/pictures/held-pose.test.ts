import { describe, expect, it } from "vitest";
import { counterGaze, createPuppetBehaviour, type PuppetParams } from "../../../../src/puppet/index.ts";
import { HeldPose } from "../../../../src/service/media/pictures/held-pose.ts";
import { loadCharacter } from "../../../puppet/load-character.ts";
import { longUtterance } from "../../../puppet/speech-sample.ts";

const character = loadCharacter("mina");
const size = 432;
const unitsToPx = size / character.sizeUnits;

/** Poses of 25 frames a second, as the behaviour has them and as they are drawn. */
function frames(seconds: number, isSpeaking: boolean): { pose: PuppetParams; drawn: PuppetParams }[] {
  const behaviour = createPuppetBehaviour(character, { seed: 5 });
  const hold = new HeldPose(character, size);
  if (isSpeaking) behaviour.speak(longUtterance(), 0);
  return Array.from({ length: seconds * 25 }, (_, index) => {
    const pose = behaviour.step(index * 40);
    return { pose, drawn: hold.hold(pose) };
  });
}

describe("a held pose", () => {
  it("is the same in most frames of a resting face", () => {
    const drawn = frames(40, false).map((frame) => JSON.stringify(frame.drawn));
    const same = drawn.filter((pose, index) => pose === drawn[index - 1]);
    expect(same.length / drawn.length).toBeGreaterThan(0.5);
  });

  it("never moves brows and mouth by as much as half a pixel less or more", () => {
    for (const { pose, drawn } of frames(10, false)) {
      const off = (name: "smile" | "browRaise" | "browConcern" | "concern"): number =>
        Math.abs((pose[name] ?? 0) - (drawn[name] ?? 0)) * 10 * unitsToPx;
      for (const name of ["smile", "browRaise", "browConcern", "concern"] as const)
        expect(off(name)).toBeLessThan(0.5);
    }
  });

  it("looks where the pose looks, from the head that is shown", () => {
    for (const { pose, drawn } of frames(10, false)) {
      const looks = (params: PuppetParams): number =>
        (params.gazeX ?? 0) + (params.headTurn ?? 0) * counterGaze;
      if (Math.abs(pose.gazeX ?? 0) < 1) expect(Math.abs(looks(drawn) - looks(pose))).toBeLessThan(0.01);
    }
  });

  it("moves the head in at most half of the frames of speech", () => {
    const drawn = frames(8, true).map((frame) => frame.drawn);
    const moved = drawn.filter(({ headTurn }, index) => headTurn !== drawn[index - 1]?.headTurn);
    expect(moved.length / drawn.length).toBeLessThan(0.5);
  });

  it("turns the head by less than 1.3 pixels late, even at its edge", () => {
    const edgePx = 90 * character.rig.head.maxYaw * unitsToPx;
    for (const { pose, drawn } of frames(8, true))
      expect(Math.abs((pose.headTurn ?? 0) - (drawn.headTurn ?? 0)) * edgePx).toBeLessThan(1.3);
  });

  it("leaves mouth and lids alone", () => {
    for (const { pose, drawn } of frames(2, true)) {
      const { visemeWeights, blink, blinkR } = pose;
      expect(drawn).toMatchObject({ visemeWeights, blink, blinkR });
    }
  });
});
