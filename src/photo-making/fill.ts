import { clamp } from "../photo/numbers.ts";

/** Colours as numbers, three for each pixel. */
export interface Colours {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

interface Level extends Colours {
  readonly weights: Float32Array;
}

/** Half of a level's size: each pixel is the mean of four, by their weights. */
function halved({ width, height, values, weights }: Level): Level {
  const [w, h] = [(width + 1) >> 1, (height + 1) >> 1];
  const half: Level = {
    width: w,
    height: h,
    values: new Float32Array(3 * w * h),
    weights: new Float32Array(w * h),
  };
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      const at = y * w + x;
      let sum = 0;
      const total = [0, 0, 0];
      for (let i = 0; i < 4; i++) {
        const [px, py] = [2 * x + (i & 1), 2 * y + (i >> 1)];
        if (px >= width || py >= height) continue;
        sum += weights[py * width + px]!;
        for (let c = 0; c < 3; c++) total[c]! += values[3 * (py * width + px) + c]!;
      }
      if (sum === 0) continue;
      half.weights[at] = Math.min(1, sum);
      for (let c = 0; c < 3; c++) half.values[3 * at + c] = (total[c]! / sum) * half.weights[at];
    }
  return half;
}

/** What a level of half the size says at a pixel. */
function doubled({ width, height, values }: Colours, x: number, y: number, channel: number): number {
  const fx = clamp(x / 2 - 0.25, 0, width - 1);
  const fy = clamp(y / 2 - 0.25, 0, height - 1);
  const [ix, iy] = [Math.floor(fx), Math.floor(fy)];
  const [jx, jy] = [Math.min(width - 1, ix + 1), Math.min(height - 1, iy + 1)];
  const at = (px: number, py: number): number => values[3 * (py * width + px) + channel]!;
  const upper = at(ix, iy) + (at(jx, iy) - at(ix, iy)) * (fx - ix);
  const lower = at(ix, jy) + (at(jx, jy) - at(ix, jy)) * (fx - ix);
  return upper + (lower - upper) * (fy - iy);
}

/** Fills pixels of weight 0 smoothly from those around them ("push-pull"). Changes `values`. */
export function fillGaps({ width, height, values }: Colours, weights: Float32Array): void {
  let level: Level = {
    width,
    height,
    values: values.map((v, i) => v * weights[Math.floor(i / 3)]!),
    weights,
  };
  const levels = [level];
  while (level.width > 1 || level.height > 1) levels.push((level = halved(level)));
  for (let depth = levels.length - 2; depth >= 0; depth--) {
    const [fine, coarse] = [levels[depth]!, levels[depth + 1]!];
    for (let i = 0; i < fine.width * fine.height; i++) {
      const missing = 1 - fine.weights[i]!;
      if (missing <= 0) continue;
      const [x, y] = [i % fine.width, Math.floor(i / fine.width)];
      for (let c = 0; c < 3; c++) fine.values[3 * i + c]! += doubled(coarse, x, y, c) * missing;
    }
  }
  values.set(levels[0]!.values);
}
