import { describe, expect, it } from "vitest";
import { measureMotion } from "../../bench/face/motion-measures.ts";
import { playScene, type SceneName } from "../../bench/face/scenes.ts";
import { loadCharacter } from "./load-character.ts";

const mina = loadCharacter("mina");
const tomas = loadCharacter("tomas");

/** The bands of the head's motion, in degrees: how far it is from its mean pose (root of the mean square). */
const headRmsDeg: Readonly<Record<SceneName, readonly [number, number]>> = {
  idle: [1, 4],
  listening: [1, 3.5],
  speaking: [1.5, 4.5],
};

const gazeOnVisitor: Readonly<Record<SceneName, readonly [number, number]>> = {
  idle: [0.7, 0.95],
  listening: [0.85, 0.96],
  speaking: [0.7, 0.9],
};

const scenes = ["idle", "listening", "speaking"] as const;
const seeds = [1, 7, 23];

describe.each(scenes.flatMap((scene) => seeds.map((seed) => [scene, seed] as const)))(
  "a minute of %s (seed %i)",
  (scene, seed) => {
    const frames = playScene(scene, seed === 7 ? tomas : mina, seed);
    const motion = measureMotion(frames, seed === 7 ? tomas : mina);

    it("has 10 to 25 blinks", () => {
      expect(motion.blinksPerMinute).toBeGreaterThanOrEqual(10);
      expect(motion.blinksPerMinute).toBeLessThanOrEqual(25);
    });

    it("moves the head as much as its band allows", () => {
      expect(motion.headRmsDeg).toBeGreaterThanOrEqual(headRmsDeg[scene][0]);
      expect(motion.headRmsDeg).toBeLessThanOrEqual(headRmsDeg[scene][1]);
    });

    it("looks at the visitor for most of the time", () => {
      expect(motion.gazeOnVisitor).toBeGreaterThanOrEqual(gazeOnVisitor[scene][0]);
      expect(motion.gazeOnVisitor).toBeLessThanOrEqual(gazeOnVisitor[scene][1]);
    });

    it("has no two equal stretches of two seconds", () => {
      expect(motion.leastDifference).toBeGreaterThan(0.1);
    });

    it("changes the pose in every frame", () => {
      const changes = frames.filter(({ params }, i) => {
        const before = frames[i - 1]?.params;
        return (
          before &&
          Math.abs(params.headTurn! - before.headTurn!) + Math.abs(params.breath! - before.breath!) > 0
        );
      });
      expect(changes.length).toBe(frames.length - 1);
    });
  },
);

describe("speech", () => {
  it("moves brows and head more than silence", () => {
    const [idle, speaking] = (["idle", "speaking"] as const).map((scene) =>
      measureMotion(playScene(scene, mina), mina),
    );
    expect(speaking!.browMotion).toBeGreaterThan(idle!.browMotion * 3);
  });
});
