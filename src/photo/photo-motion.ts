import { swayDefaults, type MovingCharacter } from "../puppet/index.ts";
import { headLimits } from "./head-limits.ts";

const degree = Math.PI / 180;

/** What the behaviour knows of a photographed character: the same of each. */
export const photoMotion: MovingCharacter = {
  sizeUnits: 512,
  rig: {
    head: {
      maxYaw: headLimits.turn * degree,
      maxPitch: headLimits.nod * degree,
      maxRoll: headLimits.tilt * degree,
    },
    sway: swayDefaults,
  },
  layers: [],
  mouth: { keys: new Map(), restJaw: 0 },
};
