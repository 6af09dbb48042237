import type { TemplateResult } from "lit";
import { outline } from "../parts/icons.ts";

const paths = {
  play: "M8.5 6.3v11.4c0 .62.68 1 1.2.66l8.9-5.7a.78.78 0 0 0 0-1.32L9.7 5.64c-.52-.34-1.2.04-1.2.66z",
  pause: "M9 6v12M15 6v12",
} as const;

/** The sign of a button that lets a voice be heard, or stops it. */
export const voiceIcon = (name: keyof typeof paths): TemplateResult => outline(paths[name]);
