import type { TemplateResult } from "lit";
import { outline } from "./icons.ts";

/** Outlines that only the views need which are loaded late. */
const paths = {
  send: "M12 19.25V5M5.75 11.25L12 5l6.25 6.25",
  retry: "M19.5 12a7.5 7.5 0 1 1-2.2-5.3l2.2 2.2M19.5 4v4.9h-4.9",
  external: "M9 5.5H8a3 3 0 0 0-3 3V16a3 3 0 0 0 3 3h7.5a3 3 0 0 0 3-3v-1M13 4.5h6.5V11M19.5 4.5l-8 8",
  copy: "M11.75 8.75H17a3 3 0 0 1 3 3V17a3 3 0 0 1-3 3h-5.25a3 3 0 0 1-3-3v-5.25a3 3 0 0 1 3-3zM15.25 8.5V7a3 3 0 0 0-3-3H7a3 3 0 0 0-3 3v5.25a3 3 0 0 0 3 3h1.5",
  download: "M12 4v11M7 10.25l5 5 5-5M5 19.75h14",
} as const;

/** An icon of a view that is loaded late. */
export function lateIcon(name: keyof typeof paths): TemplateResult {
  return outline(name, paths[name]);
}
