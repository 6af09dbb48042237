import { PuppetError } from "./puppet-error.ts";

/** A path under construction: the part of `Path2D` that the rig uses. */
export interface PathLike {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void;
  closePath(): void;
}

/** A gradient under construction. */
export interface GradientLike {
  addColorStop(offset: number, color: string): void;
}

/**
 * The part of a 2D canvas context that the rig draws with. A browser's `CanvasRenderingContext2D`, an
 * `OffscreenCanvasRenderingContext2D` and the context of @napi-rs/canvas all satisfy it.
 */
export interface Canvas2D {
  fillStyle: string | object;
  strokeStyle: string | object;
  lineWidth: number;
  lineCap: string;
  lineJoin: string;
  globalAlpha: number;
  shadowColor: string;
  shadowBlur: number;
  shadowOffsetX: number;
  shadowOffsetY: number;
  save(): void;
  restore(): void;
  scale(x: number, y: number): void;
  translate(x: number, y: number): void;
  transform(a: number, b: number, c: number, d: number, e: number, f: number): void;
  setTransform(a: number, b: number, c: number, d: number, e: number, f: number): void;
  clip(path: PathLike): void;
  fill(path: PathLike): void;
  stroke(path: PathLike): void;
  clearRect(x: number, y: number, width: number, height: number): void;
  drawImage(image: object, x: number, y: number): void;
  createLinearGradient(x0: number, y0: number, x1: number, y1: number): GradientLike;
  createRadialGradient(x0: number, y0: number, r0: number, x1: number, y1: number, r1: number): GradientLike;
}

/** A canvas to draw on; sizes in device pixels. */
export interface CanvasLike {
  width: number;
  height: number;
  getContext(kind: "2d"): Canvas2D | null;
}

/** What the exact rig needs from its environment. */
export interface PathEnvironment {
  readonly Path2D: new () => PathLike;
}

/**
 * What the fast renderer needs from its environment. `C` is the concrete canvas class, so that a caller gets the same
 * class that it passed in (an `OffscreenCanvas`, a `Canvas` of @napi-rs/canvas with its `data()`). An overloaded factory needs an
 * arrow function: `{ Path2D, createCanvas: (width, height) => createCanvas(width, height) }`.
 */
export interface PuppetEnvironment<C extends CanvasLike = CanvasLike> extends PathEnvironment {
  /** Creates an empty canvas. `unused` is one that is needed no more: its memory may be used again. */
  createCanvas(width: number, height: number, unused?: CanvasLike): C;
}

/**
 * The 2D context of a canvas.
 * @throws PuppetError NO_CANVAS when it has none, for example because the canvas already has a context of another kind.
 */
export function contextOf(canvas: CanvasLike): Canvas2D {
  const ctx = canvas.getContext("2d");
  if (!ctx) throw new PuppetError("NO_CANVAS", "", "the canvas has no 2D context");
  return ctx;
}
