import { noChange } from "lit";
import { directive, Directive, type ElementPart, type PartInfo, PartType } from "lit/directive.js";

/** A reader this close to the end, in CSS pixels, is reading the end. */
const nearPx = 32;

/** Keeps the end of a scrolled element in view while its content grows, unless the visitor has scrolled away from it. */
class FollowEnd extends Directive {
  #isNew = true;

  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error("followEnd() belongs on an element.");
  }

  override update({ element }: ElementPart): typeof noChange {
    // The element is updated before its children: this is still the content that the visitor sees.
    const { scrollHeight, scrollTop, clientHeight } = element;
    const isAtEnd = this.#isNew || scrollHeight - scrollTop - clientHeight < nearPx;
    this.#isNew = false;
    if (isAtEnd)
      queueMicrotask(() => {
        element.scrollTop = element.scrollHeight;
      });
    return noChange;
  }

  override render(): typeof noChange {
    return noChange;
  }
}

export const followEnd = directive(FollowEnd);
