/** How long nothing may change before an element counts as still. A chunk from the same machine loads in less. */
const quietMs = 80;
/** Some states go on moving: they are shown as they are then. */
const longestMs = 1_000;

const runs = ({ playState, effect }: Animation): boolean =>
  playState === "running" && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;

/** Waits until the element's shadow tree is no longer changed and all of its animations that end have ended. */
export async function untilStill(element: HTMLElement): Promise<void> {
  const startMs = performance.now();
  let changedMs = startMs;
  const observer = new MutationObserver(() => (changedMs = performance.now()));
  const root = element.shadowRoot;
  if (root) observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  for (;;) {
    await new Promise(requestAnimationFrame);
    const nowMs = performance.now();
    if (document.getAnimations().some(runs)) changedMs = nowMs;
    if (nowMs - changedMs >= quietMs || nowMs - startMs >= longestMs) break;
  }
  observer.disconnect();
}
