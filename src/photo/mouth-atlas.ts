import type { PhotoArea } from "../protocol/characters/photo-character.ts";

/** Side of the layer `mouth` in pixels. */
export const mouthAtlasSize = 512;

/** Where the parts of the layer `mouth` are. `lash` is the edge of a closing lid. */
export const mouthAtlas = {
  cavity: { x: 2, y: 2, width: 508, height: 58 },
  lash: { x: 2, y: 66, width: 508, height: 24 },
  upper: { x: 0, y: 134, width: 512, height: 108 },
  lower: { x: 0, y: 248, width: 512, height: 102 },
  tongue: { x: 0, y: 364, width: 512, height: 148 },
} as const satisfies Record<string, PhotoArea>;
