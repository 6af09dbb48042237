import type { PhotoArea } from "../protocol/photo-character.ts";
import { clamp, smooth } from "../photo/numbers.ts";
import { distancesFrom } from "./distances.ts";
import { fillGaps, type Colours } from "./fill.ts";
import { ground, type GlassesRegion } from "./glasses-region.ts";
import { imageOf } from "./source-picture.ts";

/** Glasses that were found: their frame as a layer, and where it lies in the picture. */
export interface Glasses {
  readonly area: PhotoArea;
  readonly frame: ImageData;
  /** The same part of the picture without the frame. */
  readonly behind: ImageData;
}

/** Within this distance of the frame skin is filled in; up to there the layer fades out. In millimetres. */
const reachMm = { filled: 1.1, faded: 1.9, beforeLashes: 0.9 } as const;
/** How much the skin beside an eye, often in the shadow of the brow, counts for what is filled in. */
const lashesShare = 0.3;
/** At the edges of the region the frame goes over into what is left on the skin: no edge is seen when the head turns. */
const edgeMm = 5;

/**
 * Cuts glasses out. Where skin is filled in, the layer covers it wholly with the photograph's own pixels: a face that does not move is
 * the photograph.
 */
export function cutGlasses(frame: Uint8Array, region: GlassesRegion, colours: Colours, mm: number): Glasses {
  const { x, y, width, height, grounds } = region;
  const distances = distancesFrom(frame, width).map((px) => px / mm);
  const atEdges = distances.map((_, i) => {
    const [px, py] = [i % width, Math.floor(i / width)];
    return smooth(0, edgeMm * mm, Math.min(px, py, width - 1 - px, height - 1 - py));
  });
  const isFilled = distances.map((away, i) =>
    frame[i] || (away <= reachMm.filled && grounds[i]! < ground.lashes) ? 1 : 0,
  );
  // Above, the layer is opaque before skin is filled in below it. Lashes and lids move behind it.
  const opacity = distances.map((away, i) => {
    if (grounds[i] === ground.eye) return 0;
    const isNearEye = grounds[i] === ground.lashes;
    const soft = isNearEye
      ? smooth(0, reachMm.beforeLashes, away)
      : smooth(reachMm.filled, reachMm.faded, away);
    return (1 - soft) * clamp(2 * atEdges[i]!);
  });
  const image = imageOf(colours, (i) => opacity[i]!);
  const filled: Colours = { ...colours, values: colours.values.slice() };
  const weights = [1, 0, lashesShare, 0];
  fillGaps(
    filled,
    isFilled.map((value, i) => (value ? 0 : weights[grounds[i]!]!)),
  );
  isFilled.forEach((value, i) => {
    const share = value * clamp(2 * atEdges[i]! - 1);
    for (let c = 0; c < 3; c++) {
      const own = colours.values[3 * i + c]!;
      filled.values[3 * i + c] = own + (filled.values[3 * i + c]! - own) * share;
    }
  });
  return { area: { x, y, width, height }, frame: image, behind: imageOf(filled, () => 1) };
}
