import type { FrameState } from "../rig/frame-state.ts";
import { shapeOpacity } from "../rig/opacity.ts";
import type { PixelBox } from "./pixel-box.ts";
import type { Scene, SceneLayer, ScenePart } from "../rig/scene.ts";

interface Extent {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** How many pixels outside the picture are kept too, so that a moved picture does not show its cut edge. */
const marginPx = 8;

/** The box in which some layers can draw in this frame, within the picture of `sizePx` and its margin. */
export function layerBounds(
  scene: Scene,
  layers: readonly SceneLayer[],
  state: FrameState,
  scale: number,
  sizePx: number,
): PixelBox {
  const all = nothing();
  for (const layer of layers) {
    if (scene.isShown(layer, state)) include(all, layerExtent(layer, state));
  }
  const left = Math.max(-marginPx, Math.floor(all.left * scale) - 1);
  const top = Math.max(-marginPx, Math.floor(all.top * scale) - 1);
  const right = Math.min(sizePx + marginPx, Math.ceil(all.right * scale) + 1);
  const bottom = Math.min(sizePx + marginPx, Math.ceil(all.bottom * scale) + 1);
  return { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
}

function layerExtent({ clips, parts }: SceneLayer, state: FrameState): Extent {
  const extent = nothing();
  for (const part of parts) {
    const { shape } = part;
    if ((!shape.fill && !shape.stroke) || shapeOpacity(shape, state) === 0) continue;
    const own = outlineExtent(part, state, 3 * shape.blurUnits + (shape.stroke?.width ?? 0) / 2);
    for (const clip of part.clips) cut(own, outlineExtent(clip, state, 0));
    include(extent, own);
  }
  for (const clip of clips) cut(extent, outlineExtent(clip, state, 0));
  return extent;
}

function outlineExtent({ geometry }: ScenePart, state: FrameState, growUnits: number): Extent {
  const points = geometry.points(state);
  const extent = nothing();
  for (let i = 0; i < points.length; i += 2) {
    const x = points[i]!;
    const y = points[i + 1]!;
    if (x < extent.left) extent.left = x;
    if (x > extent.right) extent.right = x;
    if (y < extent.top) extent.top = y;
    if (y > extent.bottom) extent.bottom = y;
  }
  extent.left -= growUnits;
  extent.top -= growUnits;
  extent.right += growUnits;
  extent.bottom += growUnits;
  return extent;
}

function nothing(): Extent {
  return { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
}

function include(extent: Extent, other: Extent): void {
  if (other.left > other.right || other.top > other.bottom) return;
  extent.left = Math.min(extent.left, other.left);
  extent.top = Math.min(extent.top, other.top);
  extent.right = Math.max(extent.right, other.right);
  extent.bottom = Math.max(extent.bottom, other.bottom);
}

function cut(extent: Extent, to: Extent): void {
  extent.left = Math.max(extent.left, to.left);
  extent.top = Math.max(extent.top, to.top);
  extent.right = Math.min(extent.right, to.right);
  extent.bottom = Math.min(extent.bottom, to.bottom);
}
