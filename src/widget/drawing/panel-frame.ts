import type { PanelHost } from "../panel/panel-host.ts";

/** The height of the avatar's frame, in CSS pixels; 0 while it is not laid out. */
export function framePxOf({ renderRoot }: PanelHost): number {
  return renderRoot.querySelector(".vv-stage")?.clientHeight ?? 0;
}

/** Whether visitor or page want little motion. */
export function isStill({ renderRoot }: PanelHost): boolean {
  const isWanted = renderRoot instanceof Element && renderRoot.hasAttribute("data-still");
  return isWanted || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
