const easeOut = "cubic-bezier(.16,1,.3,1)";
const lowered = "translateY(8px)";
/** When the controls are shown after the panel's motion has begun, and how long after each other. */
const controlsAtMs = 300;
const controlsApartMs = 30;

/** Shows the controls from below, one after the other, after the panel's own motion. Late ones are shown at once. */
export function showControls(shell: HTMLElement, growsSinceMs: number): void {
  const delay = Math.max(0, controlsAtMs - (performance.now() - growsSinceMs));
  const parts = controls(shell).map((part) => ({ part, rest: getComputedStyle(part).transform }));
  for (const [index, { part, rest }] of parts.entries())
    part.animate(
      { opacity: [0, 1], transform: [rest === "none" ? lowered : `${lowered} ${rest}`, rest] },
      { duration: 160, delay: delay + index * controlsApartMs, easing: easeOut, fill: "backwards" },
    );
}

/** Fades the controls out, before the panel closes. */
export function hideControls(shell: HTMLElement): Animation[] {
  return controls(shell).map((part) =>
    part.animate({ opacity: [1, 0] }, { duration: 100, fill: "forwards" }),
  );
}

function controls(shell: HTMLElement): Element[] {
  return [
    ...shell.querySelectorAll(
      ".vv-top,.vv-badge,.vv-overlay,.vv-subtitles,.vv-panel>:not(.vv-window,.vv-top)",
    ),
  ];
}
