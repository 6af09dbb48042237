import type { PanelHost } from "../panel/panel-host.ts";

/** The height of the avatar's frame, in CSS pixels; 0 while it is not laid out. */
export function framePxOf({ renderRoot }: PanelHost): number {
  return renderRoot.querySelector(".vv-stage")?.clientHeight ?? 0;
}

/** The panel of `styles/panel/place.css` in CSS pixels, what is below the avatar's frame in it, and the page around it. */
const panelPx = 640;
const controlsPx = 216;
const marginsPx = 48;
/** On a narrower screen the panel takes all of it. */
const phonePx = 480;

/** Roughly the height that the avatar's frame will have in an open panel, in CSS pixels. */
export function expectedFramePx(): number {
  return (innerWidth < phonePx ? innerHeight : Math.min(panelPx, innerHeight - marginsPx)) - controlsPx;
}

/** Whether visitor or page want little motion. */
export function isStill({ renderRoot }: PanelHost): boolean {
  const isWanted = renderRoot instanceof Element && renderRoot.hasAttribute("data-still");
  return isWanted || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
