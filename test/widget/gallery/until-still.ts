/** How long nothing may change before an element counts as still. A chunk from the same machine loads in less. */
const quietMs = 80;
/** The same where nothing moves, and all chunks are in one script. */
const quietWithoutMotionMs = 20;
/** Some states go on moving: they are shown as they are then. */
const longestMs = 1_000;

const runs = ({ playState, effect }: Animation): boolean =>
  playState === "running" && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;

/** Waits until the element's shadow tree is no longer changed and all of its animations that end have ended. */
export async function untilStill(element: HTMLElement): Promise<void> {
  const quiet = matchMedia("(prefers-reduced-motion: reduce)").matches ? quietWithoutMotionMs : quietMs;
  const startMs = performance.now();
  let changedMs = startMs;
  const observer = new MutationObserver(() => (changedMs = performance.now()));
  const root = element.shadowRoot;
  if (root) observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  for (;;) {
    await new Promise(requestAnimationFrame);
    const nowMs = performance.now();
    if (document.getAnimations().some(runs)) changedMs = nowMs;
    if (nowMs - changedMs >= quiet || nowMs - startMs >= longestMs) break;
  }
  observer.disconnect();
}
