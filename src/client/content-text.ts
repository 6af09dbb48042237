import type { RichCard, RichContent } from "../protocol/rich-content.ts";

const cardLine = ({ title, price, text }: RichCard): string =>
  [price ? `${title}, ${price}` : title, text].filter(Boolean).join(": ");

/**
 * Shown content in words: for screen readers, the copied transcript and the language model. Suggestions are left out; they are
 * questions, and nothing that was said.
 */
export function contentText({ cards = [], buttons = [], form }: RichContent): string {
  return [
    ...cards.map(cardLine),
    ...(form ? [form.title ?? form.fields.map(({ label }) => label).join(", ")] : []),
    ...(buttons.length > 0 ? [buttons.map(({ label }) => label).join(", ")] : []),
  ].join("\n");
}
