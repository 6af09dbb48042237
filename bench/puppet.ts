import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Canvas } from "@napi-rs/canvas";
import { createCanvas, Path2D } from "@napi-rs/canvas";
import type { Character, PuppetEnvironment, PuppetParams } from "../src/puppet/index.ts";
import { createPuppetRenderer, createRig, parseCharacter } from "../src/puppet/index.ts";
import { formatTable, type Row, type Table } from "./table.ts";

const env: PuppetEnvironment<Canvas> = {
  Path2D,
  createCanvas: (width, height) => createCanvas(width, height),
};

const size = 512;
const frames = 250;
const exactFrames = 20;

type Motion = (frame: number) => PuppetParams;

/** Speech at 25 frames a second with a still head: mouth, gaze and blinks. */
const mouthAndEyes: Motion = (i) => ({
  smile: 0.25,
  visemeWeights: { aa: 0.4 + 0.4 * Math.sin(i * 0.9), ih: 0.3 + 0.3 * Math.sin(i * 0.37) },
  gazeX: 0.3 * Math.sin(i * 0.2),
  blink: Math.max(0, Math.sin(i * 0.15) * 6 - 5),
});

/** A silent head with the drift and breath of the behaviour. */
const headDrift: Motion = (i) => ({
  smile: 0.25,
  headTurn: 0.06 * Math.sin(i * 0.05),
  headTilt: 0.05 * Math.sin(i * 0.043),
  headNod: 0.035 * Math.sin(i * 0.057),
  breath: 0.5 + 0.5 * Math.sin(i * 0.06),
  swayX: 0.1 * Math.sin(i * 0.05),
});

/** Median and 95th percentile of the time of a frame, in ms. Canvas drawing is deferred; reading a pixel forces it. */
async function measure(
  count: number,
  draw: (frame: number) => Canvas,
): Promise<[median: number, p95: number]> {
  const took: number[] = [];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    draw(i).getContext("2d").getImageData(0, 0, 1, 1);
    took.push(performance.now() - start);
    // Native buffers are freed only between turns of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
  took.sort((a, b) => a - b);
  return [took[Math.floor(count / 2)]!, took[Math.floor(count * 0.95)]!];
}

async function benchCharacter(character: Character): Promise<Row> {
  const canvas = createCanvas(size, size);
  const ctx = canvas.getContext("2d");
  const rig = createRig(character, { Path2D });
  const exact = await measure(exactFrames, (i) => {
    ctx.clearRect(0, 0, size, size);
    rig.draw(ctx, { ...headDrift(i), ...mouthAndEyes(i) }, { scale: size / character.sizeUnits });
    return canvas;
  });
  const fast = async (motion: Motion): Promise<[number, number]> => {
    const renderer = createPuppetRenderer(character, env, { size });
    await measure(50, (i) => renderer.draw(motion(i)));
    return measure(frames, (i) => renderer.draw(motion(i)));
  };
  const still = await fast(mouthAndEyes);
  const drift = await fast(headDrift);
  const both = await fast((i) => ({ ...headDrift(i), ...mouthAndEyes(i) }));
  return {
    name: character.name,
    columns: {
      ...columns("exact", exact),
      ...columns("mouth and eyes (≤ 3)", still),
      ...columns("head drift (≤ 6)", drift),
      ...columns("both", both),
    },
  };
}

function columns(name: string, [median, p95]: [number, number]): Record<string, number> {
  const rounded = (value: number): number => Math.round(value * 10) / 10;
  return { [`${name} ms`]: rounded(median), [`${name} p95`]: rounded(p95) };
}

/** The time to draw a frame of each character at 512² with @napi-rs/canvas: median and 95th percentile in ms, without read-back. */
export async function benchPuppet(): Promise<Table[]> {
  const rows: Row[] = [];
  for (const name of ["mina", "tomas", "amara", "ingrid"]) {
    const file = new URL(`../public/characters/${name}.json`, import.meta.url);
    rows.push(await benchCharacter(parseCharacter(JSON.parse(readFileSync(file, "utf8")))));
  }
  return [
    { title: "Drawing a frame at 512 x 512, ms (mouth and eyes at most 3, head drift at most 6)", rows },
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  for (const table of await benchPuppet()) console.log(formatTable(table));
