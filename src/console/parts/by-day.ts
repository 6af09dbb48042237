import { html, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { day } from "../format.ts";

/** What a list by days is drawn from. */
interface DayList<Item> {
  readonly items: readonly Item[];
  /** When an item was. */
  readonly at: (item: Item) => string;
  readonly key: (item: Item) => string;
  readonly entry: (item: Item) => TemplateResult;
}

/** Items in the order in which they are given, below the names of their days. */
export function byDay<Item>({ items, at, key, entry }: DayList<Item>): TemplateResult[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = day(at(item));
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  return [...groups].map(
    ([name, group]) =>
      html`<p class="day">${name}</p>
        <ul>
          ${repeat(group, key, (item) => html`<li>${entry(item)}</li>`)}
        </ul>`,
  );
}
