import type { Canvas } from "@napi-rs/canvas";
import { createCanvas } from "@napi-rs/canvas";

/** The difference of two pictures over grey: the largest channel difference of each pixel (0…255). */
export interface PixelDifference {
  readonly mean: number;
  /** Share of the pixels that differ by more than 24, in per cent. */
  readonly over24Percent: number;
}

/** Compares two canvases of the same size as the golden frames require: both flattened on #808080. */
export function pixelDifference(a: Canvas, b: Canvas): PixelDifference {
  const left = flatten(a);
  const right = flatten(b);
  const count = left.length / 4;
  let sum = 0;
  let far = 0;
  for (let i = 0; i < left.length; i += 4) {
    const distance = Math.max(
      Math.abs(left[i]! - right[i]!),
      Math.abs(left[i + 1]! - right[i + 1]!),
      Math.abs(left[i + 2]! - right[i + 2]!),
    );
    sum += distance;
    if (distance > 24) far++;
  }
  return { mean: sum / count, over24Percent: (100 * far) / count };
}

function flatten(canvas: Canvas): Uint8ClampedArray {
  const flat = createCanvas(canvas.width, canvas.height);
  const ctx = flat.getContext("2d");
  ctx.fillStyle = "#808080";
  ctx.fillRect(0, 0, flat.width, flat.height);
  ctx.drawImage(canvas, 0, 0);
  return ctx.getImageData(0, 0, flat.width, flat.height).data;
}
