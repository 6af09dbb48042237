/** Marks text without changing nodes (CSS Custom Highlight API). One highlight serves all widgets of a page. */
const name = "visavis-voice";

function highlight(): Highlight | null {
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

/** The mark of one transcript on the sentence that is being spoken. */
export class VoiceMark {
  #range: Range | null = null;

  /** Moves the mark; null removes it. */
  show(range: Range | null): void {
    const marks = highlight();
    if (this.#range) marks?.delete(this.#range);
    if (range) marks?.add(range);
    this.#range = range;
  }
}
