/** Work in steps: at each `yield`, others may have their turn. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** After so many points of a surface others may have their turn. */
export const pointsPerStep = 64;

/** Does all of it at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
