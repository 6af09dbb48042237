import { html, nothing, type TemplateResult } from "lit";
import { mostRetries, type Loaded } from "../api/loaded.ts";
import { texts } from "../texts/texts.ts";
import { errorText } from "./error-text.ts";
import { icon, type IconName } from "./icons.ts";

/** Placeholder lines for data that is being loaded. They appear late, so that a quick answer shows none. */
export function skeleton(lines = 3): TemplateResult {
  return html`<div class="sheet">
    <div class="skeleton" aria-hidden="true">${Array.from({ length: lines }, () => html`<i></i>`)}</div>
    <p class="sr" role="status">${texts.states.loading}</p>
  </div>`;
}

interface Empty {
  icon: IconName;
  title: string;
  text: string;
  action?: TemplateResult;
}

/** A sheet that says that there is nothing, and what to do about it. */
export function empty({ icon: name, title, text, action }: Empty): TemplateResult {
  return html`<div class="sheet">
    <div class="empty">
      <span class="docic big">${icon(name, 22)}</span>
      <h2>${title}</h2>
      <p>${text}</p>
      ${action ?? nothing}
    </div>
  </div>`;
}

/** What went wrong while data was loaded, above the data if there is some. Nothing if nothing went wrong. */
export function trouble<T>(loaded: Loaded<T>): TemplateResult | typeof nothing {
  const { error, retry } = loaded;
  if (error === null) return nothing;
  if (retry > 0)
    return html`<div class="note bad spaced" role="alert">
      ${icon("offline")}<span>${texts.states.tryingAgain(retry, mostRetries)}</span>
    </div>`;
  return html`<div class="note bad spaced" role="alert">
    ${icon("alert")}<span>${errorText(error)}</span>
    <button class="btn sm" @click=${() => void loaded.load()}>${texts.states.tryAgain}</button>
  </div>`;
}

/** Data with its states: skeleton, trouble, and what `show` makes of the data. */
export function whenLoaded<T>(
  loaded: Loaded<T>,
  show: (value: T) => TemplateResult | typeof nothing,
  placeholder: () => TemplateResult = skeleton,
): TemplateResult {
  const { value, error, retry } = loaded;
  const isWaiting = value === undefined && (error === null || retry > 0);
  return html`${trouble(loaded)}${value === undefined ? nothing : show(value)}${isWaiting ? placeholder() : nothing}`;
}
