/** If a session is lost again within this time, no new one starts by itself, because that did not help. */
const renewAgainAfterMs = 60_000;

let renewedAtMs = -renewAgainAfterMs;

/**
 * Starts a new session after the service has lost one, as soon as the page is visible, so that pages in the background
 * cost nothing. At most one a minute; otherwise the visitor has to start it.
 */
export function renewSession(session: { readonly isLost: boolean; start(): Promise<void> }): void {
  if (document.hidden) {
    document.addEventListener("visibilitychange", () => renewSession(session), { once: true });
    return;
  }
  if (!session.isLost || performance.now() - renewedAtMs < renewAgainAfterMs) return;
  renewedAtMs = performance.now();
  // The session's error event reports a failure.
  session.start().catch(() => undefined);
}
