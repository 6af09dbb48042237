import { noChange } from "lit";
import { AsyncDirective, directive } from "lit/async-directive.js";
import type { ElementPart } from "lit/directive.js";

/**
 * Marks text without changing nodes (CSS Custom Highlight API): the sentence that is being spoken, or what was not spoken of an
 * interrupted answer. One highlight of each name serves all widgets of a page.
 */
type MarkName = "visavis-voice" | "visavis-unsaid";

function highlight(name: MarkName): Highlight | null {
  const registry = typeof CSS === "undefined" ? undefined : (CSS as Partial<typeof CSS>).highlights;
  if (!registry) return null;
  const found = registry.get(name) ?? new Highlight();
  registry.set(name, found);
  return found;
}

/** The range between two places of an element's text, counted in characters that are not white space. */
export function rangeOf(element: Element, from: number, to: number): Range | null {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let count = 0;
  let begun = false;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const { index } of (node.nodeValue ?? "").matchAll(/\S/g)) {
      if (count === from) range.setStart(node, index);
      begun ||= count === from;
      count += 1;
      if (begun && count <= to) range.setEnd(node, index + 1);
      if (count >= to) return begun ? range : null;
    }
  }
  return begun ? range : null;
}

/** A mark in one transcript. */
export class TextMark {
  readonly #name: MarkName;
  #range: Range | null = null;

  constructor(name: MarkName) {
    this.#name = name;
  }

  /** Moves the mark; null removes it. */
  show(range: Range | null): void {
    const marks = highlight(this.#name);
    if (this.#range) marks?.delete(this.#range);
    if (range) marks?.add(range);
    this.#range = range;
  }
}

/** Marks the text of an element from a place on, counted in characters that are not white space; null: nothing is marked. */
class MarkUnsaid extends AsyncDirective {
  readonly #mark = new TextMark("visavis-unsaid");

  override update({ element }: ElementPart, [from]: [number | null]): typeof noChange {
    // The element is updated before its children.
    queueMicrotask(() =>
      this.#mark.show(from === null || !this.isConnected ? null : rangeOf(element, from, Infinity)),
    );
    return noChange;
  }

  override render(_from: number | null): typeof noChange {
    return noChange;
  }

  protected override disconnected(): void {
    this.#mark.show(null);
  }
}

export const markUnsaid = directive(MarkUnsaid);
