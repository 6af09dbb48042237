/**
 * Moves the focus to the main action of what is shown, else to the first control, else to the dialog itself. Answers
 * whether there was a main action.
 */
export function focusMain(shell: ParentNode): boolean {
  const find = (selector: string) => shell.querySelector<HTMLElement>(selector);
  const main = find("[data-main]:not([hidden])");
  const target =
    main ?? find(".vv-shell button:not([hidden])") ?? (shell instanceof HTMLDialogElement ? shell : null);
  target?.focus({ preventScroll: true });
  return main !== null;
}

/** Moves the focus inside a toolbar by arrow keys, Home and End. Answers whether the key was one of them. */
export function moveInToolbar(event: KeyboardEvent, rtl: boolean): boolean {
  const button = event.target as HTMLElement;
  const toolbar = button.closest("[role=toolbar]");
  if (!toolbar) return false;
  const buttons = [...toolbar.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")];
  const at = buttons.indexOf(button as HTMLButtonElement);
  const step = rtl ? -1 : 1;
  const targets: Record<string, number> = {
    ArrowRight: at + step,
    ArrowLeft: at - step,
    Home: 0,
    End: buttons.length - 1,
  };
  const target = targets[event.key];
  if (target === undefined) return false;
  buttons.at(target % buttons.length)?.focus();
  return true;
}

/** Whether a key press is the start of writing: one character, no shortcut, and not in a field or on a pressed button. */
export function startsWriting(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  const field = (event.target as HTMLElement).closest("textarea, input, select, [contenteditable]");
  return !field && /^[\p{L}\p{N}]$/u.test(event.key);
}
