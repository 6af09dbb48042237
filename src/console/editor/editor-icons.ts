import type { TemplateResult } from "lit";
import { icon, outline, type IconName, type IconSize } from "../parts/icons.ts";

/** Icons that only the editor has, so that the other pages do not load them. */
const paths = {
  globe:
    "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM3.75 12h16.5M12 3.5c2.3 2.4 3.5 5.2 3.5 8.5s-1.2 6.1-3.5 8.5c-2.3-2.4-3.5-5.2-3.5-8.5s1.2-6.1 3.5-8.5z",
  desktop:
    "M5.75 4.75h12.5A2.75 2.75 0 0 1 21 7.5V14a2.75 2.75 0 0 1-2.75 2.75H5.75A2.75 2.75 0 0 1 3 14V7.5a2.75 2.75 0 0 1 2.75-2.75zM9 20h6M12 16.75V20",
  phone:
    "M9.75 3h4.5A2.75 2.75 0 0 1 17 5.75v12.5A2.75 2.75 0 0 1 14.25 21h-4.5A2.75 2.75 0 0 1 7 18.25V5.75A2.75 2.75 0 0 1 9.75 3zM11 17.75h2",
  bulb: "M9.5 17.75v-1c0-.85-.4-1.5-1.05-2.1a5.75 5.75 0 1 1 7.1 0c-.65.6-1.05 1.25-1.05 2.1v1zM10 20.5h4",
  shield: "M12 3.75l7 2.5v5.25c0 4.1-2.85 7.15-7 8.75-4.15-1.6-7-4.65-7-8.75V6.25z",
  code: "M8.5 7.5L4 12l4.5 4.5M15.5 7.5L20 12l-4.5 4.5",
  external: "M9 5.5H8a3 3 0 0 0-3 3V16a3 3 0 0 0 3 3h7.5a3 3 0 0 0 3-3v-1M13 4.5h6.5V11M19.5 4.5l-8 8",
  camera:
    "M8.5 6.5l1-1.75h5l1 1.75h2.25a2.5 2.5 0 0 1 2.5 2.5v7.5a2.5 2.5 0 0 1-2.5 2.5H6.25a2.5 2.5 0 0 1-2.5-2.5V9a2.5 2.5 0 0 1 2.5-2.5zM12 9.25a3.25 3.25 0 1 0 0 6.5 3.25 3.25 0 1 0 0-6.5z",
  wave: "M4.5 10v4M8.25 7.5v9M12 4.5v15M15.75 7.5v9M19.5 10v4",
} as const;

/** An icon of the editor. */
export type EditorIconName = IconName | keyof typeof paths;

const isOwn = (name: EditorIconName): name is keyof typeof paths => Object.hasOwn(paths, name);

/** An icon of the editor or of the whole console, as `icon` draws it. */
export const editorIcon = (name: EditorIconName, size?: IconSize): TemplateResult =>
  isOwn(name) ? outline(paths[name], size) : icon(name, size);
