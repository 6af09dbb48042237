import { html, nothing, type TemplateResult } from "lit";
import type { IconName } from "../styles/icons.ts";
import { iconButton } from "./controls.ts";

/** A button of the top bar: its icon, its name, and what it does. */
interface Tool {
  readonly icon: IconName;
  readonly label: string;
  readonly press: () => void;
}

/** Name and tools over the upper corners of the picture. Without a name there is no chip for it. */
export function topBar(name: string | null, subtitle: string, tools: readonly Tool[]): TemplateResult {
  const chip = html`<span class="vv-name" part="name"><bdi>${name}</bdi><small>${subtitle}</small></span>`;
  return html`<div class="vv-top" part="top">
    <slot name="header">${name ? chip : nothing}</slot>
    ${
      tools.length > 0
        ? html`<span class="vv-tools">
            ${tools.map(({ icon, label, press }) => iconButton(icon, label, press))}
          </span>`
        : nothing
    }
  </div>`;
}
