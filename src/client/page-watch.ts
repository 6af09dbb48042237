/** What a session must know of the page that it runs in. */
export interface PageHandlers {
  /** The page goes away, maybe into the browser's back-and-forward cache. */
  handleLeave(): void;
  /** The page is looked at again. */
  handleReturn(): void;
}

/** Watches the page until the signal aborts. No `unload`: it would keep the page out of the cache. */
export function watchPage(handlers: PageHandlers, signal: AbortSignal): void {
  addEventListener("pagehide", () => handlers.handleLeave(), { signal });
  document.addEventListener(
    "visibilitychange",
    () => {
      if (!document.hidden) handlers.handleReturn();
    },
    { signal },
  );
}
