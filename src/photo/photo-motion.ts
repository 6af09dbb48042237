import { type MovingCharacter, swayDefaults } from "../puppet/index.ts";

/** The greatest angles of a head that has one picture only, in degrees. */
export const headLimits = { turn: 9, nod: 6, tilt: 4.5 } as const;

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
