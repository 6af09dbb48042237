/** How a surface bulges towards the viewer (character format §4 and §6a, Depth). Lengths in units. */
export interface Surface {
  readonly z0: number;
  readonly z: number;
  readonly rx: number;
  readonly p: number;
  readonly min: number;
  readonly top: number;
  readonly bottom: number;
  readonly ry: number;
  readonly vk: number;
  readonly vmin: number;
  readonly side: readonly [number, number, number] | undefined;
}

/** The numbers of `rig`, with every default filled in (character format §4). Angles in radians, lengths in units. */
export interface RigSettings {
  readonly head: {
    readonly cx: number;
    readonly cy: number;
    readonly pivotX: number;
    readonly pivotY: number;
    readonly depthUnits: number;
    readonly maxYaw: number;
    readonly maxPitch: number;
    readonly maxRoll: number;
    readonly perspective: number;
    readonly rollShift: number;
  };
  readonly surfaces: Readonly<Record<string, Surface>>;
  readonly jaw: Readonly<Record<keyof typeof jawDefaults | "x", number>>;
  readonly brow: Readonly<Record<keyof typeof browDefaults, number>>;
  readonly lid: Readonly<Record<keyof typeof lidDefaults, number>>;
  readonly lip: Readonly<Record<keyof typeof lipDefaults | "x", number>>;
  readonly cheek: Readonly<Record<"x" | "y" | "ry" | "sharp", number>> | undefined;
  readonly sway: SwaySettings;
}

/** The spring of secondary motion (character format §9). */
export type SwaySettings = Readonly<Record<keyof typeof swayDefaults, number>>;

/** The values of missing surface fields. */
export const surfaceDefaults: Surface = {
  z0: 0,
  z: 0,
  rx: 88,
  p: 0.5,
  min: 0,
  top: 190,
  bottom: Infinity,
  ry: 0,
  vk: 1,
  vmin: 0,
  side: undefined,
};

/** The surfaces that every character has. A character may define surfaces of the same name instead. */
export const builtInSurfaces: Readonly<Record<string, Surface>> = {
  face: { ...surfaceDefaults, z: 60, min: 0.02, ry: 128, vmin: 0.25 },
  hair: { ...surfaceDefaults, z: 72, rx: 110, p: 1.15, ry: 128, vmin: 0.25 },
  back: { ...surfaceDefaults, z: -8, rx: 124, min: 0.01 },
  flat: surfaceDefaults,
};

export const jawDefaults = {
  y0: 286,
  y1: 326,
  w: 80,
  bow: 0,
  side: 0.25,
  narrow: 0.0016,
  ny0: 262,
  ny1: 300,
  neck: 0.4,
  neckY0: 320,
  neckY1: 400,
};

export const browDefaults = { raise: 6, outer: 0, concern: 6, rest: 1.5, pinch: 2.5, smile: 0 };

export const lidDefaults = { down: 0.22, up: 0.1 };

export const lipDefaults = { w: 34, y0: 276, y1: 292, base: 0.35, smile: 3.6 };

export const swayDefaults = { hz: 1.5, damping: 0.35, turn: 1, tilt: 0.6, nod: 1, gain: 5, limit: 1 };
