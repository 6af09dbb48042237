/** Whether a key press starts a message: one letter or digit, no shortcut, and not in a field. */
export function startsWriting(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  const { target } = event;
  if (target instanceof Element && target.closest("textarea, input, select, [contenteditable]")) return false;
  return /^[\p{L}\p{N}]$/u.test(event.key);
}
