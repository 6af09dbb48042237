import { html, type TemplateResult } from "lit";

/**
 * Where on the outline of a rounded rectangle its top centre lies, clockwise from the outline's start (the end of the
 * upper left corner), in percent of the outline. Sizes in pixels.
 */
export function topCentre(width: number, height: number, radius: number): number {
  const r = Math.min(radius, width / 2, height / 2);
  const around = 2 * (width + height) - (8 - 2 * Math.PI) * r;
  return around > 0 ? ((width / 2 - r) / around) * 100 : 0;
}

/**
 * The ring around a picture: one outline for the state, three for light and progress. All have the same path length, so
 * that they move at constant speed on any shape. While connecting, and while a countdown runs, `part` percent are drawn, from
 * `start` on.
 */
export function ring(part = 0, start = 0): TemplateResult {
  return html`<svg class="vv-ring" part="ring" aria-hidden="true">
    <rect class="t"></rect>
    <rect class="l" pathLength="100"></rect>
    <rect class="n" pathLength="100"></rect>
    <rect class="m" pathLength="100" stroke-dasharray="${part} 100" stroke-dashoffset=${-start}></rect>
  </svg>`;
}
