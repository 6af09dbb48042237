import { html, type TemplateResult } from "lit";
import { texts } from "../texts/texts.ts";
import { copyButton } from "./copy-button.ts";

/** Something that is shown only once, to be copied: a key, an invitation's link. */
export function onceNote(title: string, label: string, value: string): TemplateResult {
  const selectAll = (event: Event): void => {
    if (event.target instanceof HTMLInputElement) event.target.select();
  };
  return html`<div class="note good key-once" role="status">
    <b>${title} ${texts.copyNow}</b>
    <div class="with">
      <input class="in num" readonly .value=${value} aria-label=${label} @focus=${selectAll} />
      ${copyButton(value)}
    </div>
  </div>`;
}
