import type { Matrix } from "../pictures/affine.ts";
import type { Canvas2D, GradientLike } from "../canvas.ts";
import type { LinearGradient, RadialGradient, Stops } from "../format/character.ts";
import type { Mover } from "./deformation.ts";
import { deform } from "./deformation.ts";
import type { FrameState } from "./frame-state.ts";

/** The radius of radial gradients before their map; larger than 1, so that rasterisers keep their precision. */
const radialUnit = 100;

/** A linear gradient whose ends move with the layer. */
export function linearGradient(
  ctx: Canvas2D,
  mover: Mover,
  state: FrameState,
  { from, to, stops }: LinearGradient,
): GradientLike {
  const ends = Float32Array.of(...from, ...to);
  deform(mover, state, ends);
  return withStops(ctx.createLinearGradient(ends[0]!, ends[1]!, ends[2]!, ends[3]!), stops);
}

/** A radial gradient around the origin with the radius `radialUnit`, to be drawn under `radialMatrix`. */
export function radialGradient(ctx: Canvas2D, { focus, stops }: RadialGradient): GradientLike {
  const gradient = ctx.createRadialGradient(
    focus[0] * radialUnit,
    focus[1] * radialUnit,
    0,
    0,
    0,
    radialUnit,
  );
  return withStops(gradient, stops);
}

/**
 * The map from the circle of `radialGradient` to its ellipse, moved by the deformation around its centre
 * (character format §3, Gradients); undefined when the ellipse has collapsed.
 */
export function radialMatrix(mover: Mover, state: FrameState, gradient: RadialGradient): Matrix | undefined {
  const [cx, cy] = gradient.centre;
  // The centre, and what is on its right and below it.
  const places = Float32Array.of(cx, cy, cx + 2, cy, cx, cy + 2);
  deform(mover, state, places);
  const [x = 0, y = 0, rightX = 0, rightY = 0, belowX = 0, belowY = 0] = places;
  const jx = [(rightX - x) / 2, (rightY - y) / 2] as const;
  const jy = [(belowX - x) / 2, (belowY - y) / 2] as const;
  const cos = Math.cos(gradient.rotation);
  const sin = Math.sin(gradient.rotation);
  const [rx, ry] = gradient.radii;
  const a = rx * (cos * jx[0] + sin * jy[0]);
  const b = rx * (cos * jx[1] + sin * jy[1]);
  const c = ry * (cos * jy[0] - sin * jx[0]);
  const d = ry * (cos * jy[1] - sin * jx[1]);
  if (Math.abs(a * d - b * c) < 1e-6) return undefined;
  const unit = 1 / radialUnit;
  return [a * unit, b * unit, c * unit, d * unit, x, y];
}

/** `points` after the inverse of `matrix`. */
export function unmapPoints([a, b, c, d, e, f]: Matrix, points: Float32Array): Float32Array {
  const scale = 1 / (a * d - b * c);
  const mapped = new Float32Array(points.length);
  for (let i = 0; i < points.length; i += 2) {
    const x = points[i]! - e;
    const y = points[i + 1]! - f;
    mapped[i] = (d * x - c * y) * scale;
    mapped[i + 1] = (a * y - b * x) * scale;
  }
  return mapped;
}

function withStops(gradient: GradientLike, stops: Stops): GradientLike {
  for (const [offset, colour] of stops) gradient.addColorStop(offset, colour);
  return gradient;
}
