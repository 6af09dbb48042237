/** Moves the focus inside a toolbar by arrow keys, Home and End. A `keydown` listener of the toolbar. */
export function moveInToolbar(event: KeyboardEvent): void {
  const toolbar = event.currentTarget as HTMLElement;
  const buttons = [...toolbar.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")];
  const at = buttons.findIndex((button) => button === event.target);
  const step = getComputedStyle(toolbar).direction === "rtl" ? -1 : 1;
  const targets: Record<string, number> = {
    ArrowRight: at + step,
    ArrowLeft: at - step,
    Home: 0,
    End: buttons.length - 1,
  };
  const target = targets[event.key];
  if (target === undefined) return;
  buttons.at(target % buttons.length)?.focus();
  event.preventDefault();
}
