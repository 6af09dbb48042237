/** What the avatar is doing; it shows in the whole face. */
export type Activity = "idle" | "listening" | "thinking" | "speaking";

/** How the face is held during an activity; values as in the parameters of a frame. */
export interface Pose {
  readonly smile: number;
  readonly browRaise: number;
  readonly browConcern: number;
  readonly headTurn: number;
  readonly headTilt: number;
  readonly headNod: number;
  /** Where the eyes rest, and how far a glance may leave there. */
  readonly gazeX: number;
  readonly gazeY: number;
  readonly gazeReach: number;
  /** How much the head wanders, in parts of the usual. */
  readonly drift: number;
}

/** The face of each activity. Below a smile of about 0.2 the characters read as stern. */
export const poses: Readonly<Record<Activity, Pose>> = {
  idle: pose({ smile: 0.26, gazeReach: 0.3 }),
  listening: pose({
    smile: 0.24,
    browRaise: 0.22,
    headTilt: 0.16,
    headNod: 0.04,
    gazeReach: 0.1,
    drift: 0.7,
  }),
  thinking: pose({
    smile: 0.2,
    browRaise: 0.12,
    browConcern: 0.12,
    headTurn: 0.16,
    headTilt: -0.16,
    headNod: -0.1,
    gazeX: 0.7,
    gazeY: -0.7,
    gazeReach: 0.15,
    drift: 0.7,
  }),
  speaking: pose({ smile: 0.25, browRaise: 0.06, gazeReach: 0.2, drift: 1.8 }),
};

function pose(given: Partial<Pose>): Pose {
  return {
    smile: 0.25,
    browRaise: 0,
    browConcern: 0,
    headTurn: 0,
    headTilt: 0,
    headNod: 0,
    gazeX: 0,
    gazeY: 0,
    gazeReach: 0.2,
    drift: 1,
    ...given,
  };
}
