import type { Matrix } from "../pictures/affine.ts";
import type { Canvas2D, GradientLike } from "../canvas.ts";
import type { LinearGradient, RadialGradient, Stops } from "../format/character.ts";
import type { Mover, MutablePoint } from "./deformation.ts";
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
  const start = moved(mover, state, from[0], from[1]);
  const end = moved(mover, state, to[0], to[1]);
  return withStops(ctx.createLinearGradient(start.x, start.y, end.x, end.y), stops);
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
  const centre = moved(mover, state, cx, cy);
  const right = moved(mover, state, cx + 2, cy);
  const below = moved(mover, state, cx, cy + 2);
  const jx = [(right.x - centre.x) / 2, (right.y - centre.y) / 2] as const;
  const jy = [(below.x - centre.x) / 2, (below.y - centre.y) / 2] as const;
  const cos = Math.cos(gradient.rotation);
  const sin = Math.sin(gradient.rotation);
  const [rx, ry] = gradient.radii;
  const a = rx * (cos * jx[0] + sin * jy[0]);
  const b = rx * (cos * jx[1] + sin * jy[1]);
  const c = ry * (cos * jy[0] - sin * jx[0]);
  const d = ry * (cos * jy[1] - sin * jx[1]);
  if (Math.abs(a * d - b * c) < 1e-6) return undefined;
  const unit = 1 / radialUnit;
  return [a * unit, b * unit, c * unit, d * unit, centre.x, centre.y];
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

function moved(mover: Mover, state: FrameState, x: number, y: number): MutablePoint {
  const point = { x, y };
  deform(mover, state, point);
  return point;
}

function withStops(gradient: GradientLike, stops: Stops): GradientLike {
  for (const [offset, colour] of stops) gradient.addColorStop(offset, colour);
  return gradient;
}
