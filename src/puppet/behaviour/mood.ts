/** A mood that colours the whole face while an answer is spoken. */
export const moods = ["neutral", "happy", "concerned", "serious", "curious"] as const;
export type Mood = (typeof moods)[number];

/** What a mood adds to the face; values as in `PuppetParams`. */
export interface MoodFace {
  readonly smile: number;
  readonly concern: number;
  readonly browRaise: number;
  readonly browConcern: number;
  readonly headTilt: number;
  readonly headNod: number;
}

const unmoved: MoodFace = { smile: 0, concern: 0, browRaise: 0, browConcern: 0, headTilt: 0, headNod: 0 };

/** The face of each mood, as an addition to the pose of the activity. */
export const moodFaces: Readonly<Record<Mood, MoodFace>> = {
  neutral: unmoved,
  happy: { ...unmoved, smile: 0.42, browRaise: 0.16, headTilt: 0.06 },
  concerned: {
    smile: -0.3,
    concern: 0.42,
    browRaise: 0.06,
    browConcern: 0.75,
    headTilt: 0.14,
    headNod: 0.07,
  },
  serious: { ...unmoved, smile: -0.13, browConcern: 0.22, headNod: 0.03 },
  curious: { ...unmoved, browRaise: 0.3, headTilt: 0.16, headNod: -0.04 },
};
