import { html, nothing, type TemplateResult } from "lit";

type Content = TemplateResult | string | typeof nothing;

interface PageHead {
  title: string;
  /** A sentence below the title. */
  lead?: Content;
  /** Buttons at the end of the line. */
  actions?: Content;
}

/** The head of a page, with its one `h1`. */
export function pageHead({ title, lead = nothing, actions = nothing }: PageHead): TemplateResult {
  return html`<header class="head">
    <div>
      <h1 tabindex="-1">${title}</h1>
      ${lead === nothing ? nothing : html`<p>${lead}</p>`}
    </div>
    ${actions === nothing ? nothing : html`<div class="acts">${actions}</div>`}
  </header>`;
}
