/** A session that was lost again so soon is not started by itself: something is wrong that a new one does not mend. */
const renewAgainAfterMs = 60_000;

let renewedAtMs = -renewAgainAfterMs;

/**
 * Starts a fresh session in place of one that the service has lost, as soon as the page is looked at: nobody pays for
 * sessions of pages in the background. At most one a minute; after that the visitor has to ask for it.
 */
export function renewSession(session: { readonly isLost: boolean; start(): Promise<void> }): void {
  if (document.hidden) {
    document.addEventListener("visibilitychange", () => renewSession(session), { once: true });
    return;
  }
  if (!session.isLost || performance.now() - renewedAtMs < renewAgainAfterMs) return;
  renewedAtMs = performance.now();
  // What goes wrong is told by the session's own error event.
  session.start().catch(() => undefined);
}
