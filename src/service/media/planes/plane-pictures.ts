import { createCanvas, Path2D } from "@napi-rs/canvas";
import { placedPictures, type Character, type PuppetParams } from "../../../puppet/index.ts";
import type { DrawingCanvas } from "../character-picture.ts";
import type { VideoFrame } from "../wrtc.ts";
import { PlaneCanvas, type Easel } from "./plane-canvas.ts";
import { frameStep, PlaneFrame } from "./plane-frame.ts";
import { hasPlaneKernel } from "./plane-kernel.ts";
import { PlaneMemory } from "./plane-memory.ts";

/** The packed frames of one character in one size for one session. */
export interface PlanePicture {
  readonly video: VideoFrame;
  /** Draws a frame. Returns whether it differs from the one before. */
  draw(params: PuppetParams): boolean;
  /** Call it once when the picture is no longer needed. */
  release(): void;
}

/** Whether packed frames of this size can be composed of planes. */
export function canComposePlanes(size: number): boolean {
  return size % frameStep === 0 && hasPlaneKernel();
}

/**
 * Draws a character for many sessions. Parts of it are drawn as always, but kept as planes, from which each session's frames are composed.
 * Returns what makes the picture of a session; `onRelease` is called when that session needs it no more.
 */
export function planePictures(character: Character, size: number): (onRelease: () => void) => PlanePicture {
  const memory = new PlaneMemory();
  const { kernel } = memory;
  kernel.useScratch(memory.take(kernel.scratchBytes(size)).at, size);
  const easel = newEasel(memory);
  const shared = placedPictures(
    character,
    {
      Path2D,
      createCanvas: (width, height, unused) =>
        new PlaneCanvas(easel, width, height, unused instanceof PlaneCanvas ? unused : undefined),
    },
    { size },
  );
  return (onRelease) => {
    const placed = shared.sibling();
    const frame = new PlaneFrame(memory, size);
    return {
      video: frame.video,
      draw(params) {
        const changed = placed.place(params);
        if (changed) frame.compose(placed.placements, changed);
        return changed !== undefined;
      },
      release() {
        frame.release();
        onRelease();
      },
    };
  };
}

/** Canvases by their size. There are few: only what a frame draws anew is on one. */
function newEasel(memory: PlaneMemory): Easel {
  const canvases = new Map<string, DrawingCanvas[]>();
  const shelf = (width: number, height: number): DrawingCanvas[] => {
    const key = `${width} ${height}`;
    const known = canvases.get(key) ?? [];
    canvases.set(key, known);
    return known;
  };
  return {
    memory,
    take: (width, height) => shelf(width, height).pop() ?? createCanvas(width, height),
    give: (canvas) => void shelf(canvas.width, canvas.height).push(canvas),
  };
}
