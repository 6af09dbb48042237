import { createCanvas, Path2D, type Canvas } from "@napi-rs/canvas";
import { createPuppetRenderer, PoseHold, type Character } from "../../src/puppet/index.ts";
import { frameMs, type Frame } from "./scenes.ts";

/** What is seen of a scene: frames are drawn as the service draws them, and compared by their brightness. */
export interface SeenMotion {
  /** The longest time without any change in the picture, in ms. */
  readonly longestStillMs: number;
  /** The mean difference of the two most similar stretches of two seconds, in steps of brightness (0…255). */
  readonly leastDifference: number;
  /** The median time to draw a frame, in ms. */
  readonly drawMs: number;
}

const sizePx = 432;
const sampledPx = 48;
const stretchFrames = 50;

/** Draws the frames of a scene and compares them. */
export function seeMotion(frames: readonly Frame[], character: Character): SeenMotion {
  const env = {
    Path2D,
    createCanvas: (width: number, height: number): Canvas => createCanvas(width, height),
  };
  const renderer = createPuppetRenderer(character, env, { size: sizePx });
  const hold = new PoseHold(character, sizePx);
  const small = createCanvas(sampledPx, sampledPx).getContext("2d");
  const pictures: Uint8ClampedArray[] = [];
  const took: number[] = [];
  let [still, longestStill] = [0, 0];
  let before: Buffer | undefined;
  for (const { params } of frames) {
    const start = performance.now();
    const canvas = renderer.draw(hold.hold(params));
    const pixels = Buffer.from(canvas.data());
    took.push(performance.now() - start);
    still = before?.equals(pixels) ? still + 1 : 0;
    longestStill = Math.max(longestStill, still);
    before = pixels;
    small.clearRect(0, 0, sampledPx, sampledPx);
    small.drawImage(canvas, 0, 0, sampledPx, sampledPx);
    pictures.push(small.getImageData(0, 0, sampledPx, sampledPx).data.filter((_, i) => i % 4 === 1));
  }
  took.sort((a, b) => a - b);
  return {
    longestStillMs: longestStill * frameMs,
    leastDifference: leastDifference(pictures),
    drawMs: took[Math.floor(took.length / 2)]!,
  };
}

function leastDifference(pictures: readonly Uint8ClampedArray[]): number {
  let least = Infinity;
  for (let first = 0; first + 2 * stretchFrames <= pictures.length; first += stretchFrames)
    for (let second = first + stretchFrames; second + stretchFrames <= pictures.length; second += 5) {
      let sum = 0;
      for (let frame = 0; frame < stretchFrames && sum / stretchFrames < least; frame += 2)
        sum += 2 * meanDifference(pictures[first + frame]!, pictures[second + frame]!);
      least = Math.min(least, sum / stretchFrames);
    }
  return least;
}

function meanDifference(a: Uint8ClampedArray, b: Uint8ClampedArray): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum / a.length;
}
