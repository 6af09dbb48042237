/** What the avatar is doing; the whole face shows it. */
export type Activity = "idle" | "listening" | "thinking" | "speaking";

/** `ready`: speech will begin in a moment, so the eyes return to the visitor. */
export type PoseName = Activity | "ready";

/** Shortest and longest time, in ms. */
export type Span = readonly [shortest: number, longest: number];

/** The face during an activity; values as in `PuppetParams`. */
export interface Pose {
  readonly smile: number;
  readonly browRaise: number;
  readonly browConcern: number;
  readonly headTurn: number;
  readonly headTilt: number;
  readonly headNod: number;
  /** Where the eyes rest. */
  readonly gazeX: number;
  readonly gazeY: number;
  /** How far a glance goes from there, and how long the eyes rest before it and stay away. */
  readonly gazeReach: number;
  readonly gazeRestMs: Span;
  readonly gazeAwayMs: Span;
  /** How much the head drifts; 1 is the usual amount. */
  readonly drift: number;
  /** How far a posture shift moves the head, and how often there is one. */
  readonly shift: number;
  readonly shiftEveryMs: Span;
}

/** The face of each activity. With a smile below about 0.2 the characters look stern. */
export const poses: Readonly<Record<PoseName, Pose>> = {
  idle: pose({}),
  listening: pose({
    smile: 0.27,
    browRaise: 0.16,
    headTilt: 0.17,
    headNod: 0.04,
    gazeReach: 0.45,
    gazeRestMs: [3000, 6500],
    gazeAwayMs: [350, 800],
    shift: 0.55,
    drift: 1.2,
  }),
  thinking: pose({
    smile: 0.21,
    browRaise: 0.2,
    browConcern: 0.12,
    headTurn: 0.24,
    headTilt: -0.18,
    headNod: -0.16,
    gazeX: 0.75,
    gazeY: -0.7,
    gazeReach: 0.3,
    gazeRestMs: [900, 2200],
    gazeAwayMs: [500, 1200],
    shift: 0.4,
    shiftEveryMs: [3000, 6000],
  }),
  ready: pose({ smile: 0.27, browRaise: 0.14, headNod: -0.03, gazeRestMs: [5000, 6000], shift: 0.3 }),
  speaking: pose({
    smile: 0.25,
    browRaise: 0.05,
    gazeReach: 0.6,
    gazeRestMs: [2600, 5200],
    gazeAwayMs: [450, 900],
    drift: 1.7,
    shift: 0.9,
    shiftEveryMs: [2500, 6000],
  }),
};

function pose(given: Partial<Pose>): Pose {
  return {
    smile: 0.27,
    browRaise: 0.03,
    browConcern: 0,
    headTurn: 0,
    headTilt: 0,
    headNod: 0,
    gazeX: 0,
    gazeY: 0,
    gazeReach: 0.7,
    gazeRestMs: [2200, 6000],
    gazeAwayMs: [500, 1300],
    drift: 1.5,
    shift: 1,
    shiftEveryMs: [5000, 15_000],
    ...given,
  };
}

/** The same pose to the other side. */
export function mirrored(given: Pose): Pose {
  return { ...given, headTurn: -given.headTurn, headTilt: -given.headTilt, gazeX: -given.gazeX };
}
