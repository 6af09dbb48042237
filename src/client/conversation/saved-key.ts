/** Where a tab keeps the conversation of a context from one page to the next, in `sessionStorage`. The loader looks there too. */
export const savedKey = (contextId: string): string => `visavis-kept:${contextId}`;

/** Whether this tab has kept a conversation. */
export function hasSaved(contextId: string): boolean {
  try {
    return sessionStorage.getItem(savedKey(contextId)) !== null;
  } catch {
    return false;
  }
}
