/** Browsers that do not tell when they are idle. */
const gapMs = 50;

/** Resolves when the browser has nothing else to do. */
export function untilIdle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === "function") requestIdleCallback(() => resolve());
    else setTimeout(resolve, gapMs);
  });
}
