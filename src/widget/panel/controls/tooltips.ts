const moves = /^(Tab|Arrow|Home|End)/;
const modifiers = /^(Shift|Control|Alt|Meta)/;
const waitMs = 400;
const gapPx = 8;

/**
 * Shows the names of icon buttons (`data-tip`) as tooltips: 400 ms after the pointer has moved onto a button, and at once where the
 * visitor goes by keyboard. A button that appears under a resting pointer, or gets the focus by itself, shows none. A tooltip is placed below
 * its button, because captions and answers are above it.
 */
export function showTooltips(box: HTMLElement): void {
  const tip = document.createElement("span");
  tip.className = "vv-tip";
  tip.ariaHidden = "true";
  let control: HTMLElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new MutationObserver(() => {
    if (control?.checkVisibility()) place(tip, control);
    else show(null);
  });

  function show(next: HTMLElement | null, afterMs = 0): void {
    clearTimeout(timer);
    observer.disconnect();
    tip.remove();
    control = next;
    if (next) timer = setTimeout(appear, afterMs, next);
  }

  function appear(button: HTMLElement): void {
    if (!button.checkVisibility()) return;
    place(tip, button);
    observer.observe(box, {
      subtree: true,
      childList: true,
      attributeFilter: ["data-tip", "hidden", "open"],
    });
  }

  box.addEventListener("pointermove", ({ target, pointerType, movementX, movementY }) => {
    // Browsers repeat the event for a resting pointer when something else comes under it.
    if (pointerType === "touch" || (movementX === 0 && movementY === 0)) return;
    const under = buttonOf(target);
    if (under !== control) show(under, waitMs);
  });
  for (const type of ["pointerdown", "pointerleave", "click"] as const)
    box.addEventListener(type, () => show(null));
  box.addEventListener("pointerout", ({ target, relatedTarget }) => {
    if (buttonOf(target) === control && buttonOf(relatedTarget) !== control) show(null);
  });
  box.addEventListener("keyup", ({ key, target }) => {
    if (!modifiers.test(key)) show(moves.test(key) ? buttonOf(target) : null);
  });
  box.addEventListener("focusout", () => show(null));
}

function buttonOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-tip]") : null;
}

/** Within the window, below the button or, where the window has no room there, on its edge. */
function place(tip: HTMLElement, button: HTMLElement): void {
  const shell = button.closest<HTMLElement>(".vv-shell");
  if (!shell) return;
  if (tip.parentElement !== shell) shell.append(tip);
  const text = button.dataset["tip"] ?? "";
  // Setting it again would be a change to observe.
  if (tip.textContent !== text) tip.textContent = text;
  const origin = shell.getBoundingClientRect();
  // A page may zoom or scale the element.
  const scale = origin.width / shell.offsetWidth || 1;
  const { left, width, bottom } = button.getBoundingClientRect();
  const size = tip.getBoundingClientRect();
  const within = (at: number, room: number) => Math.max(gapPx, Math.min(at, room - gapPx));
  const x = within(left + (width - size.width) / 2, innerWidth - size.width);
  const y = Math.min(bottom + gapPx * scale, innerHeight - size.height);
  tip.style.left = `${(x - origin.left) / scale}px`;
  tip.style.top = `${(y - origin.top) / scale}px`;
}
