import { createCanvas, type Canvas } from "@napi-rs/canvas";
import { beforeEach, describe, expect, it } from "vitest";
import type { PatchRenderer, PuppetParams } from "../../src/puppet/index.ts";
import {
  createPatchRenderer,
  createPuppetBehaviour,
  createPuppetRenderer,
  createRig,
  PoseHold,
} from "../../src/puppet/index.ts";
import { loadCharacter } from "./load-character.ts";
import { nodeCanvas } from "./node-canvas.ts";
import { pixelDifference } from "./pixel-difference.ts";
import { longUtterance } from "./speech-sample.ts";

const env = nodeCanvas;
const size = 256;
const character = loadCharacter("tomas");

/** Lets native buffers be freed, which happens only when the event loop turns. */
const eventLoopTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A picture that is composed of patches, and the latest patch. */
class Viewer {
  readonly canvas = createCanvas(size, size);
  box: { x: number; y: number; width: number; height: number } | undefined;

  constructor(readonly renderer: PatchRenderer<Canvas>) {}

  show(params: PuppetParams): void {
    const patch = this.renderer.draw(params);
    this.box = patch?.box;
    if (!patch) return;
    const { x, y, width, height } = patch.box;
    const ctx = this.canvas.getContext("2d");
    ctx.clearRect(x, y, width, height);
    ctx.drawImage(patch.canvas, 0, 0, width, height, x, y, width, height);
  }
}

describe("the patch renderer", () => {
  let viewer: Viewer;
  beforeEach(() => {
    viewer = new Viewer(createPatchRenderer(character, env, { size }));
  });

  it("produces, patch by patch, the picture that it would draw as a whole", async () => {
    const behaviour = createPuppetBehaviour(character, { seed: 3 });
    const hold = new PoseHold(character, size);
    behaviour.speak(longUtterance(), 0);
    for (let frame = 0; frame < 30; frame++) {
      const params = hold.hold(behaviour.step(frame * 40));
      viewer.show(params);
      const whole = new Viewer(viewer.renderer.sibling());
      whole.show(params);
      const { mean, over24Percent } = pixelDifference(viewer.canvas, whole.canvas);
      expect(mean).toBeLessThan(0.1);
      expect(over24Percent).toBe(0);
      await eventLoopTurn();
    }
  });

  it("draws speech as the full renderer does, within the tolerance of the golden frames", async () => {
    const renderer = createPuppetRenderer(character, env, { size });
    const behaviour = createPuppetBehaviour(character, { seed: 3 });
    behaviour.speak(longUtterance(), 0);
    for (let frame = 0; frame < 30; frame++) {
      const params = behaviour.step(frame * 40);
      viewer.show(params);
      const { mean, over24Percent } = pixelDifference(viewer.canvas, renderer.draw(params));
      expect(mean).toBeLessThanOrEqual(1.6);
      expect(over24Percent).toBeLessThanOrEqual(1);
      await eventLoopTurn();
    }
  });

  it("draws small patches for small movements, on multiples of 8 within the picture", async () => {
    const behaviour = createPuppetBehaviour(character, { seed: 3 });
    const hold = new PoseHold(character, size);
    behaviour.speak(longUtterance(), 0);
    let smaller = 0;
    for (let frame = 0; frame < 40; frame++) {
      viewer.show(hold.hold(behaviour.step(frame * 40)));
      const { x, y, width, height } = viewer.box ?? { x: 0, y: 0, width: 0, height: 0 };
      expect([x, y, width, height].map((length) => length % 8)).toEqual([0, 0, 0, 0]);
      expect(Math.max(x + width, y + height)).toBeLessThanOrEqual(size);
      if (width * height < (size * size) / 2) smaller++;
      await eventLoopTurn();
    }
    expect(smaller).toBeGreaterThan(10);
  });

  it("draws nothing once the pose no longer changes", () => {
    // After fast motion, parts that were drawn approximately are drawn exactly within a few frames.
    for (const headTurn of [0, 0.3, -0.3]) viewer.show({ headTurn });
    for (let frame = 0; frame < 20; frame++) viewer.show({ headTurn: 0.2 });
    expect(viewer.box).toBeUndefined();
  });

  it("draws a part of a picture that has rested for long as it was, whatever others have drawn meanwhile", async () => {
    const rested = new Viewer(viewer.renderer.sibling());
    const alone = new Viewer(createPatchRenderer(character, env, { size }));
    for (const each of [rested, alone]) for (let frame = 0; frame < 20; frame++) each.show({ headTurn: 0.2 });
    for (let frame = 0; frame < 80; frame++) {
      viewer.show({
        headTurn: 0.6 * Math.sin(frame),
        headTilt: 0.5 * Math.cos(frame * 1.7),
        breath: (frame % 9) / 9,
      });
      rested.show({ headTurn: 0.2 });
      expect(rested.box).toBeUndefined();
      await eventLoopTurn();
    }
    for (const each of [rested, alone]) each.show({ headTurn: 0.2, blink: 1, visemeWeights: { aa: 1 } });
    const { mean, over24Percent } = pixelDifference(rested.canvas, alone.canvas);
    expect(mean).toBeLessThan(0.3);
    expect(over24Percent).toBeLessThan(0.2);
  });

  it("draws complete pictures for several viewers from the same cached pictures", async () => {
    const viewers = [viewer, new Viewer(viewer.renderer.sibling())];
    const rig = createRig(character, env);
    for (let frame = 0; frame < 30; frame++) {
      const poses = [
        { headTurn: 0.3 * Math.sin(frame / 4), visemeWeights: { aa: (frame % 5) / 5 } },
        { headTilt: 0.3 * Math.sin(frame / 5), visemeWeights: { oh: (frame % 3) / 3 } },
      ];
      viewers.forEach(({ canvas }, i) => {
        viewers[i]!.show(poses[i]!);
        if (frame % 10 !== 9) return;
        const exact = createCanvas(size, size);
        rig.draw(exact.getContext("2d"), poses[i], { scale: size / character.sizeUnits });
        expect(pixelDifference(canvas, exact).mean).toBeLessThanOrEqual(1.6);
      });
      await eventLoopTurn();
    }
  });
});
