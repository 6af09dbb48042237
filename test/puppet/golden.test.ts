import { readFileSync } from "node:fs";
import { createCanvas, loadImage, Path2D } from "@napi-rs/canvas";
import { describe, expect, it } from "vitest";
import type { PuppetParams } from "../../src/puppet/index.ts";
import { createRig } from "../../src/puppet/index.ts";
import { loadCharacter } from "./load-character.ts";
import { pixelDifference } from "./pixel-difference.ts";

interface GoldenFrame {
  readonly id: string;
  readonly file: string;
  readonly params: PuppetParams;
  readonly state: {
    jaw: number;
    smile: number;
    concern: number;
    lip: [number, number];
    weights: Record<string, number>;
  };
  readonly probes: Record<string, number[]>;
}

interface Golden {
  readonly size: number;
  readonly scale: number;
  readonly characters: Record<string, { readonly frames: readonly GoldenFrame[] }>;
}

const folder = new URL("../golden/", import.meta.url);
const golden = JSON.parse(readFileSync(new URL("golden.json", folder), "utf8")) as Golden;

describe.each(Object.entries(golden.characters))("%s drawn exactly", (name, { frames }) => {
  const rig = createRig(loadCharacter(name), { Path2D });

  it.each(frames.map((frame) => [frame.id, frame] as const))("is the golden frame %s", async (_id, frame) => {
    const expected = createCanvas(golden.size, golden.size);
    expected.getContext("2d").drawImage(await loadImage(readFileSync(new URL(frame.file, folder))), 0, 0);
    const drawn = createCanvas(golden.size, golden.size);
    rig.draw(drawn.getContext("2d"), frame.params, { scale: golden.scale });
    expect(pixelDifference(drawn, expected).mean).toBeLessThanOrEqual(0.2);
  });

  it.each(frames.map((frame) => [frame.id, frame] as const))("has the probe points of %s", (_id, frame) => {
    for (const [ref, expected] of Object.entries(frame.probes)) {
      const points = rig.points(ref, frame.params);
      const farthest = Math.max(...expected.map((value, i) => Math.abs(value - points[i]!)));
      expect(farthest, ref).toBeLessThanOrEqual(0.02);
    }
  });

  it.each(frames.map((frame) => [frame.id, frame] as const))("has the state of %s", (_id, frame) => {
    const state = rig.state(frame.params);
    expect(state.jaw).toBeCloseTo(frame.state.jaw, 3);
    expect(state.smile).toBeCloseTo(frame.state.smile, 3);
    expect(state.concern).toBeCloseTo(frame.state.concern, 3);
    expect(state.lipY).toBeCloseTo(frame.state.lip[0], 3);
    expect(state.lipScale).toBeCloseTo(frame.state.lip[1], 3);
    const nonZero = Object.entries(frame.state.weights).filter(([, weight]) => weight !== 0);
    expect(state.mouth).toHaveLength(nonZero.length);
    for (const { name: key, weight } of state.mouth) expect(weight).toBeCloseTo(frame.state.weights[key]!, 3);
  });
});

it("covers 24 frames of each of the four characters", () => {
  expect(Object.values(golden.characters).map(({ frames }) => frames.length)).toEqual([24, 24, 24, 24]);
});
