/**
 * Moves the focus to the main action that is shown, else to the first control, else to the dialog itself. Returns
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

/** Whether a key press starts a message: one letter or digit, no shortcut, and not in a field. */
export function startsWriting(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  const field = (event.target as HTMLElement).closest("textarea, input, select, [contenteditable]");
  return !field && /^[\p{L}\p{N}]$/u.test(event.key);
}
