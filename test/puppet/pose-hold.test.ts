import { describe, expect, it } from "vitest";
import { createPuppetBehaviour, PoseHold } from "../../src/puppet/index.ts";
import { loadCharacter } from "./load-character.ts";
import { longUtterance } from "./speech-sample.ts";

const character = loadCharacter("mina");

describe("a held pose", () => {
  it("does not change for invisible drift, and never differs much from the real pose", () => {
    const hold = new PoseHold(character, 512);
    const behaviour = createPuppetBehaviour(character, { seed: 5 });
    let stood = 0;
    let last = hold.hold(behaviour.step(0));
    for (let nowMs = 40; nowMs <= 8_000; nowMs += 40) {
      const pose = behaviour.step(nowMs);
      const held = hold.hold(pose);
      if (held.headTurn === last.headTurn) stood++;
      expect(Math.abs((held.headTurn ?? 0) - (pose.headTurn ?? 0))).toBeLessThan(0.03);
      expect(Math.abs((held.headNod ?? 0) - (pose.headNod ?? 0))).toBeLessThan(0.04);
      expect(Math.abs((held.breath ?? 0) - (pose.breath ?? 0))).toBeLessThan(0.21);
      last = held;
    }
    expect(stood).toBeGreaterThan(100);
    expect(stood).toBeLessThan(200);
  });

  it("does not hold mouth, eyes and brows", () => {
    const hold = new PoseHold(character, 512);
    const behaviour = createPuppetBehaviour(character, { seed: 5 });
    behaviour.speak(longUtterance(), 0);
    for (let nowMs = 0; nowMs < 2_000; nowMs += 40) {
      const pose = behaviour.step(nowMs);
      const { visemeWeights, blink, gazeX, gazeY, browRaise, smile } = hold.hold(pose);
      expect(pose).toMatchObject({ visemeWeights, blink, gazeX, gazeY, browRaise, smile });
    }
  });

  it("follows a turn of the head at once", () => {
    const hold = new PoseHold(character, 512);
    hold.hold({ headTurn: 0 });
    expect(hold.hold({ headTurn: 0.1 }).headTurn).toBe(0.1);
  });
});
