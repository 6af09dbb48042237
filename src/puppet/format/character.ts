import type { Outline } from "./outline.ts";
import type { RigSettings, Surface } from "./rig-settings.ts";

/** A character that has been read and checked: colours resolved, outlines parsed, references linked, layers in paint order. */
export interface Character {
  readonly name: string;
  /** Side of the square picture in units. */
  readonly sizeUnits: number;
  /** Optional parts, and whether each is visible by default. */
  readonly options: Readonly<Record<string, boolean>>;
  readonly rig: RigSettings;
  readonly layers: readonly Layer[];
  readonly mouth: Mouth;
}

/** What the behaviour knows of a character, drawn or photographed: what its mouth and its head can do. */
export interface MovingCharacter extends Pick<Character, "sizeUnits"> {
  readonly rig: Pick<RigSettings, "sway"> & {
    readonly head: Pick<RigSettings["head"], "maxYaw" | "maxPitch" | "maxRoll">;
  };
  readonly layers: readonly Pick<Layer, "sway">[];
  readonly mouth: { readonly keys: ReadonlyMap<string, { readonly jaw: number }>; readonly restJaw: number };
}

/** A smooth step between two heights: the value `from` at y0, `to` at y1 (heights in units). */
export interface Ramp {
  readonly y0: number;
  readonly y1: number;
  readonly from: number;
  readonly to: number;
}

/** Secondary motion that grows from zero at y0 to (x, y) units at y1. */
interface SwayReach {
  readonly y0: number;
  readonly y1: number;
  readonly x: number;
  readonly y: number;
}

/** An eyebrow: its inner end, its length in units and the side to which a frown pulls it. */
interface BrowReach {
  readonly innerX: number;
  readonly length: number;
  readonly direction: number;
}

/** One layer of the picture and how it moves (character format §3). */
export interface Layer {
  readonly id: string;
  readonly followsHead: boolean;
  readonly surface: Surface;
  /** Extra depth in units, positive towards the viewer. */
  readonly depthUnits: number;
  readonly follow: Ramp | undefined;
  readonly jaw: boolean;
  readonly cheek: number;
  readonly lip: boolean;
  readonly brow: BrowReach | undefined;
  readonly sway: SwayReach | undefined;
  readonly side: "l" | "r" | undefined;
  readonly optional: string | undefined;
  readonly clips: readonly ClipRef[];
  readonly shapes: readonly Shape[];
}

/** A shape of a layer that other shapes are clipped to. */
export interface ClipRef {
  readonly layer: Layer;
  readonly shape: Shape;
}

/** The outlines of a blink as differences from the open eye; `smile` is the squint. */
export interface BlinkKeys {
  readonly half: Float32Array;
  readonly closed: Float32Array;
  readonly smile: Float32Array | undefined;
}

/** A parameter that fades shapes in or out. */
export type Driver = "smile" | "concern" | "browRaise" | "turnL" | "turnR";

/** One painted (or only clipping) shape (character format §3, Path). */
export interface Shape {
  readonly id: string | undefined;
  /** The outline at rest: static, eye open, or the mouth at `sil`. */
  readonly outline: Outline;
  readonly blink: BlinkKeys | undefined;
  /** The name of the mouth outline that this shape uses, if it is part of the mouth. */
  readonly mouth: string | undefined;
  readonly fill: Fill | undefined;
  readonly stroke: Stroke | undefined;
  readonly opacity: number;
  readonly opacityBy: readonly (readonly [Driver, number])[];
  readonly visibleBy: Driver | undefined;
  /** Sigma of the soft edge in units; 0 is sharp. */
  readonly blurUnits: number;
  /** How far the shape moves with the gaze, [x, y] in units. */
  readonly gazeTravel: readonly [number, number];
  readonly clips: readonly ClipRef[];
}

/** A CSS colour, or a gradient in the coordinates of the undeformed picture. */
export type Fill = string | LinearGradient | RadialGradient;

/** [offset 0…1, CSS colour], ascending. */
export type Stops = readonly (readonly [number, string])[];

/** A gradient along a line (units). */
export interface LinearGradient {
  readonly kind: "linear";
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly stops: Stops;
}

/** A gradient over an ellipse; radii in units, focus in radii, rotation in radians. */
export interface RadialGradient {
  readonly kind: "radial";
  readonly centre: readonly [number, number];
  readonly radii: readonly [number, number];
  readonly rotation: number;
  readonly focus: readonly [number, number];
  readonly stops: Stops;
}

/** A line along the outline; width in units. */
export interface Stroke {
  readonly colour: string;
  readonly width: number;
  readonly cap: "round" | "butt";
}

/** One mouth shape as its difference from `sil`, so that shapes add up. */
export interface MouthKey {
  readonly jaw: number;
  readonly lipY: number;
  readonly lipScale: number;
  readonly deltas: Readonly<Record<string, Float32Array>>;
}

/** The mouth: its values at `sil`, and every other shape as a difference from those. */
export interface Mouth {
  readonly restJaw: number;
  readonly restLipY: number;
  readonly restLipScale: number;
  readonly keys: ReadonlyMap<string, MouthKey>;
}
