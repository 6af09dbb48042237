import { html, type TemplateResult } from "lit";
import { icon } from "../styles/icons.ts";
import type { Translate } from "../texts/texts.ts";

/**
 * Several views side by side, of which one is read at a time: they snap into place, and are reached by swiping, by the arrow keys and by two
 * buttons. After the last one comes the first.
 *
 * @param name what screen readers call the row
 */
export function carousel(views: readonly TemplateResult[], name: string, t: Translate): TemplateResult {
  const press = ({ currentTarget }: Event, by: number): void => {
    const row = currentTarget instanceof Element && currentTarget.parentElement?.previousElementSibling;
    if (row) turn(row, by);
  };
  const handleKey = (event: KeyboardEvent): void => {
    const { currentTarget: row, key } = event;
    const by = key === "ArrowLeft" ? -1 : key === "ArrowRight" ? 1 : 0;
    // The keys of what is in the row are its own.
    if (!by || !(row instanceof Element) || event.target !== row) return;
    event.preventDefault();
    turn(row, isRtl(row) ? -by : by);
  };
  return html`<div class="vv-carousel" role="list" tabindex="0" aria-label=${name} @keydown=${handleKey}>
      ${views.map((view) => html`<div role="listitem">${view}</div>`)}
    </div>
    <div class="vv-carousel-arrows">
      <button type="button" aria-label=${t("previous")} @click=${(event: Event) => press(event, -1)}>
        ${icon("minimise")}
      </button>
      <button type="button" aria-label=${t("next")} @click=${(event: Event) => press(event, 1)}>
        ${icon("minimise")}
      </button>
    </div>`;
}

const isRtl = (element: Element): boolean => getComputedStyle(element).direction === "rtl";

/** Scrolls a row to the item that is so many after the one that is shown. */
function turn(row: Element, by: number): void {
  const items = [...row.children];
  const start = (element: Element): number => {
    const { left, right } = element.getBoundingClientRect();
    return isRtl(row) ? -right : left;
  };
  const at = start(row);
  const offsets = items.map((item) => Math.abs(start(item) - at));
  // At the end of the row the last items may all be in view: the last one is the one that is shown.
  const isAtEnd = Math.abs(row.scrollLeft) + row.clientWidth >= row.scrollWidth - 2;
  const shown = isAtEnd && by > 0 ? items.length - 1 : offsets.indexOf(Math.min(...offsets));
  const next = items[(shown + by + items.length) % items.length];
  if (!next) return;
  const distance = (start(next) - at) * (isRtl(row) ? -1 : 1);
  const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  row.scrollBy({ left: distance, behavior: reduced ? "auto" : "smooth" });
}
