import type { Viseme } from "./viseme.ts";

/**
 * One frame's pose (character format §5). A missing parameter is 0 or empty, as in the neutral face.
 * `visemeWeights` are ≥ 0; smile, concern, blinks, breath and browConcern are 0…1. The others are −1…1;
 * positive means right on the screen, down, or clockwise.
 */
export interface PuppetParams {
  visemeWeights?: Partial<Record<Viseme, number>>;
  smile?: number;
  concern?: number;
  blink?: number;
  blinkL?: number;
  blinkR?: number;
  browRaise?: number;
  browConcern?: number;
  gazeX?: number;
  gazeY?: number;
  headTurn?: number;
  headNod?: number;
  headTilt?: number;
  breath?: number;
  swayX?: number;
  swayY?: number;
  /** Optional parts to show or hide, such as `{ glasses: false }`. They override the character's defaults. */
  options?: Record<string, boolean>;
}

/** A pose with every parameter set. */
export type FullParams = Required<PuppetParams>;

const neutral: FullParams = {
  visemeWeights: {},
  smile: 0,
  concern: 0,
  blink: 0,
  blinkL: 0,
  blinkR: 0,
  browRaise: 0,
  browConcern: 0,
  gazeX: 0,
  gazeY: 0,
  headTurn: 0,
  headNod: 0,
  headTilt: 0,
  breath: 0,
  swayX: 0,
  swayY: 0,
  options: {},
};

/** `params`, with missing values taken from the neutral face. */
export function completeParams(params: PuppetParams): FullParams {
  return { ...neutral, ...params };
}

/** Whether two poses are the same. */
export function isSamePose(some: PuppetParams, others: PuppetParams): boolean {
  const { visemeWeights, options, ...numbers } = completeParams(some);
  const { visemeWeights: otherWeights, options: otherOptions, ...otherNumbers } = completeParams(others);
  return (
    areSame(numbers, otherNumbers) && areSame(visemeWeights, otherWeights) && areSame(options, otherOptions)
  );
}

function areSame(
  some: Readonly<Record<string, unknown>>,
  others: Readonly<Record<string, unknown>>,
): boolean {
  const names = Object.keys(some);
  return names.length === Object.keys(others).length && names.every((name) => some[name] === others[name]);
}
