/** The greatest angles of a head that has one picture only, in degrees. */
export const headLimits = { turn: 9, nod: 6, tilt: 4.5 } as const;
