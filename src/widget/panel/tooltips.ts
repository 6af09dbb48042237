const moves = /^(Tab|Arrow|Home|End)/;
const modifiers = /^(Shift|Control|Alt|Meta)/;

/**
 * Shows the tooltips of focused buttons while the visitor moves between them by keyboard, by the attribute `data-tips`. A
 * button that got the focus by itself, when the panel was opened or a page replaced, has none: it would cover what is above.
 */
export function followKeyboard(box: HTMLElement): void {
  const show = (shown: boolean) => box.toggleAttribute("data-tips", shown);
  box.addEventListener("keyup", ({ key }) => {
    if (!modifiers.test(key)) show(moves.test(key));
  });
  box.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && box.contains(relatedTarget))) show(false);
  });
}
