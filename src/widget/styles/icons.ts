import { html, type TemplateResult } from "lit";

/** Outlines on a 24 px grid, drawn with a 1.75 px stroke in the current colour. */
const paths = {
  chat: "M12 4.25c-4.9 0-8.5 3.1-8.5 7.1 0 2.3 1.15 4.25 3 5.55L6 20.25l3.7-1.95c.74.13 1.5.2 2.3.2 4.9 0 8.5-3.15 8.5-7.15s-3.6-7.1-8.5-7.1z",
  captions:
    "M6.5 5h11a3.75 3.75 0 0 1 3.75 3.75v6.5A3.75 3.75 0 0 1 17.5 19h-11a3.75 3.75 0 0 1-3.75-3.75v-6.5A3.75 3.75 0 0 1 6.5 5zM10.25 10.7a2.1 2.1 0 1 0 0 2.6M16.75 10.7a2.1 2.1 0 1 0 0 2.6",
  end: "M3.3 14.3C2.7 10.7 6.9 8 12 8s9.3 2.7 8.7 6.3c-.15.9-1 1.45-1.9 1.25l-2.3-.55a1.5 1.5 0 0 1-1.15-1.45v-1.4c-2.05-.65-4.65-.65-6.7 0v1.4c0 .7-.48 1.3-1.15 1.45l-2.3.55c-.9.2-1.75-.35-1.9-1.25z",
  close: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  minimise: "M6 9.5l6 6 6-6",
  more: "M5.6 12h.8M11.6 12h.8M17.6 12h.8",
  stop: "M9 6.75h6A2.25 2.25 0 0 1 17.25 9v6A2.25 2.25 0 0 1 15 17.25H9A2.25 2.25 0 0 1 6.75 15V9A2.25 2.25 0 0 1 9 6.75z",
  volume: "M3.75 9.75v4.5h3.5L12 18.25V5.75l-4.75 4zM15.5 9.25a4 4 0 0 1 0 5.5M18 6.5a8 8 0 0 1 0 11",
  shrink: "M20 4l-6.25 6.25M13.75 5v5.25H19M4 20l6.25-6.25M5 13.75h5.25V19",
  mic: "M12 3a3 3 0 0 1 3 3v5.5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3",
  "mic-off":
    "M15 10V6a3 3 0 0 0-5.7-1.3M9 9v2.5a3 3 0 0 0 4.7 2.45M5.5 11.5a6.5 6.5 0 0 0 10.3 5.26M18.5 11.5c0 1.1-.27 2.1-.75 3M12 18v3M4 4l16 16",
  settings:
    "M4 7.5h8.5M18.5 7.5H20M4 16.5h1.5M11.5 16.5H20M12.75 7.5a2.75 2.75 0 1 0 5.5 0 2.75 2.75 0 1 0-5.5 0M5.75 16.5a2.75 2.75 0 1 0 5.5 0 2.75 2.75 0 1 0-5.5 0",
  offline:
    "M4 4l16 16M8.5 15.25a5 5 0 0 1 6.4-.5M5.25 12a9.6 9.6 0 0 1 4.25-2.4M13.5 9.4c2 .3 3.8 1.2 5.25 2.6M2.5 8.5a14 14 0 0 1 4-2.6M10.5 4.8c4-.5 8 .8 11 3.7M12 18.5h.01",
} as const;

export type IconName = keyof typeof paths;

/** One icon, hidden from screen readers: the control around it has a name. */
export function icon(name: IconName): TemplateResult {
  return outline(name, paths[name]);
}

/** Draws an outline on the 24 px grid. */
export function outline(name: string, path: string): TemplateResult {
  return html`<svg class="vv-ic ic-${name}" viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;
}
