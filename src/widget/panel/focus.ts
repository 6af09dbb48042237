/**
 * Moves the focus to the main action that is shown, else to the first control, else to the panel itself. Returns
 * whether there was a main action.
 */
export function focusMain(shell: ParentNode): boolean {
  const find = (selector: string) => shell.querySelector<HTMLElement>(selector);
  const main = find("[data-main]:not([hidden])");
  const target =
    main ??
    find(".vv-shell button:not([hidden])") ??
    (shell instanceof HTMLElement && shell.hasAttribute("tabindex") ? shell : null);
  target?.focus({ preventScroll: true });
  return main !== null;
}
