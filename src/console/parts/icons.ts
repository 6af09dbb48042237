import { html, type TemplateResult } from "lit";
import { classMap } from "lit/directives/class-map.js";

/** Outlines on a 24 px grid, drawn with a stroke of 1.75 px in the current colour. */
const paths = {
  overview: "M4.25 11.25L12 4.75l7.75 6.5M6.25 9.75v7.5a2 2 0 0 0 2 2h7.5a2 2 0 0 0 2-2v-7.5M10 19v-4.5h4V19",
  person:
    "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.25a2.75 2.75 0 1 0 0 5.5 2.75 2.75 0 0 0 0-5.5zM6.5 18.25c.9-2.35 2.9-3.65 5.5-3.65s4.6 1.3 5.5 3.65",
  people: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z",
  inbox: "M4 13.25h4.25l1.25 2.25h5l1.25-2.25H20M6.75 5.25h10.5L20 13.25v5.5H4v-5.5z",
  book: "M12 6.75C10.2 5.3 7.6 4.75 4 4.75v12.75c3.6 0 6.2.55 8 2 1.8-1.45 4.4-2 8-2V4.75c-3.6 0-6.2.55-8 2zM12 6.75V19.5",
  chat: "M12 4.25c-4.9 0-8.5 3.1-8.5 7.1 0 2.3 1.15 4.25 3 5.55L6 20.25l3.7-1.95c.74.13 1.5.2 2.3.2 4.9 0 8.5-3.15 8.5-7.15s-3.6-7.1-8.5-7.1z",
  ask: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM9.6 9.7a2.45 2.45 0 1 1 3.5 2.2c-.75.37-1.1.85-1.1 1.7M12 16.5h.01",
  chip: "M9.75 7h4.5A2.75 2.75 0 0 1 17 9.75v4.5A2.75 2.75 0 0 1 14.25 17h-4.5A2.75 2.75 0 0 1 7 14.25v-4.5A2.75 2.75 0 0 1 9.75 7zM10 3.75V7M14 3.75V7M10 17v3.25M14 17v3.25M3.75 10H7M3.75 14H7M17 10h3.25M17 14h3.25",
  settings:
    "M4 7.5h8.5M18.5 7.5H20M4 16.5h1.5M11.5 16.5H20M12.75 7.5a2.75 2.75 0 1 0 5.5 0 2.75 2.75 0 1 0-5.5 0M5.75 16.5a2.75 2.75 0 1 0 5.5 0 2.75 2.75 0 1 0-5.5 0",
  plus: "M12 5.5v13M5.5 12h13",
  minus: "M6 12h12",
  trash:
    "M5 7h14M9.5 7V5.5A1.5 1.5 0 0 1 11 4h2a1.5 1.5 0 0 1 1.5 1.5V7M6.9 7l.8 11a2 2 0 0 0 2 1.85h4.6a2 2 0 0 0 2-1.85l.8-11",
  eye: "M2.75 12c2-4 5.3-6.25 9.25-6.25S19.25 8 21.25 12c-2 4-5.3 6.25-9.25 6.25S4.75 16 2.75 12zM12 9.25a2.75 2.75 0 1 0 0 5.5 2.75 2.75 0 0 0 0-5.5z",
  sun: "M12 8.25a3.75 3.75 0 1 0 0 7.5 3.75 3.75 0 0 0 0-7.5zM12 3v1.75M12 19.25V21M3 12h1.75M19.25 12H21M5.64 5.64l1.24 1.24M17.12 17.12l1.24 1.24M5.64 18.36l1.24-1.24M17.12 6.88l1.24-1.24",
  moon: "M19.75 14.25A8 8 0 1 1 9.75 4.25a6.5 6.5 0 0 0 10 10z",
  back: "M14.5 6l-6 6 6 6",
  next: "M9.5 6l6 6-6 6",
  down: "M7 10l5 5 5-5",
  clock: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 1.75",
  out: "M14 7.5V6.25a2 2 0 0 0-2-2H6.75a2 2 0 0 0-2 2v11.5a2 2 0 0 0 2 2H12a2 2 0 0 0 2-2V16.5M10 12h10M16.75 8.5L20.25 12l-3.5 3.5",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  close: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  check: "M5.5 12.5l4.25 4.25L18.5 8",
  alert: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.75v5M12 16.25h.01",
  lock: "M8 10.5h8a3 3 0 0 1 3 3V17a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3v-3.5a3 3 0 0 1 3-3zM8.25 10.5V8a3.75 3.75 0 0 1 7.5 0v2.5",
  offline:
    "M4 4l16 16M8.5 15.25a5 5 0 0 1 6.4-.5M5.25 12a9.6 9.6 0 0 1 4.25-2.4M13.5 9.4c2 .3 3.8 1.2 5.25 2.6M2.5 8.5a14 14 0 0 1 4-2.6M10.5 4.8c4-.5 8 .8 11 3.7M12 18.5h.01",
  copy: "M11.75 8.75H17a3 3 0 0 1 3 3V17a3 3 0 0 1-3 3h-5.25a3 3 0 0 1-3-3v-5.25a3 3 0 0 1 3-3zM15.25 8.5V7a3 3 0 0 0-3-3H7a3 3 0 0 0-3 3v5.25a3 3 0 0 0 3 3h1.5",
  download: "M12 4v11M7 10.25l5 5 5-5M5 19.75h14",
  globe:
    "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM3.75 12h16.5M12 3.5c2.3 2.4 3.5 5.2 3.5 8.5s-1.2 6.1-3.5 8.5c-2.3-2.4-3.5-5.2-3.5-8.5s1.2-6.1 3.5-8.5z",
  keyboard:
    "M6 6h12a3.25 3.25 0 0 1 3.25 3.25v6A3.25 3.25 0 0 1 18 18.5H6a3.25 3.25 0 0 1-3.25-3.25v-6A3.25 3.25 0 0 1 6 6zM6.75 10h.01M10.25 10h.01M13.75 10h.01M17.25 10h.01M8.5 14.5h7",
  upload: "M12 15V4.5M7 9.25l5-5 5 5M5 19.75h14",
  file: "M13.5 3.75H8a2.5 2.5 0 0 0-2.5 2.5v11.5a2.5 2.5 0 0 0 2.5 2.5h8a2.5 2.5 0 0 0 2.5-2.5V8.75zM13.5 3.75v5h5",
  search: "M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM16 16l4 4",
  retry: "M19.5 12a7.5 7.5 0 1 1-2.2-5.3l2.2 2.2M19.5 4v4.9h-4.9",
} as const;

export type IconName = keyof typeof paths;

/** Height and width in px. */
export type IconSize = 16 | 18 | 20 | 22;

/** Icons that point along the line of text, and turn with it. */
const directed = new Set<IconName>(["back", "next", "out"]);

/** Draws an outline as an icon, hidden from screen readers: the control around it has a name. `size` in px; default 20. */
export function outline(
  path: string,
  size: IconSize = 20,
  more: Record<string, boolean> = {},
): TemplateResult {
  return html`<svg
    class=${classMap({ ic: true, [`s${size}`]: true, ...more })}
    viewBox="0 0 24 24"
    aria-hidden="true"
  >
    <path d=${path} />
  </svg>`;
}

/** An icon that pages share. */
export const icon = (name: IconName, size?: IconSize): TemplateResult =>
  outline(paths[name], size, { turns: directed.has(name), heavy: name === "more" });

/** The product's mark. */
export const mark = html`<svg viewBox="0 0 28 28" fill="none" aria-hidden="true">
  <g stroke="currentColor" stroke-width="2.5" stroke-linecap="round">
    <path d="M8.9 23.6A11.5 11.5 0 1 1 19.1 23.6" />
    <path d="M12 24.3h4" />
    <path d="M8 19.3c1.2-2.5 3.3-3.7 6-3.7s4.8 1.2 6 3.7" />
  </g>
  <circle cx="14" cy="11.6" r="3.3" fill="currentColor" />
</svg>`;
