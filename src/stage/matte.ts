/** How a video frame carries the avatar's transparency (product contract, The stage). */
export type StageMatte = "none" | "packed-alpha" | `chroma:#${string}`;

export type MatteMode = "none" | "packed-alpha" | "chroma";

/** A colour as red, green and blue, each 0 to 1. */
export type Rgb = readonly [number, number, number];

/** A parsed matte; `key` is black when the mode has no key colour. */
export interface Matte {
  readonly mode: MatteMode;
  readonly key: Rgb;
}

/** Black and white change slightly in encoding. This remap makes them fully transparent and fully opaque again. */
export const alphaFloor = 0.03;
export const alphaSpan = 0.94;

/** Distance of a colour from the key in the chroma plane: below the first it is transparent, above the second opaque. */
export const chromaNear = 0.1;
export const chromaFar = 0.22;

export function parseMatte(matte: StageMatte): Matte {
  const digits = /^chroma:#([0-9a-f]{6})$/i.exec(matte)?.[1];
  if (!digits) return { mode: matte === "packed-alpha" ? matte : "none", key: [0, 0, 0] };
  const channel = (at: number): number => Number.parseInt(digits.slice(at, at + 2), 16) / 255;
  return { mode: "chroma", key: [channel(0), channel(2), channel(4)] };
}
