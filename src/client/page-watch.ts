/** What a session must know of the page that it runs in. */
export interface PageHandlers {
  /** The page goes away, maybe into the browser's back-and-forward cache. */
  handleLeave(): void;
  /** The page is looked at again, or runs again after having been frozen. */
  handleReturn(): void;
}

/** Watches the page until the signal aborts. No `unload`: it would keep the page out of the cache. */
export function watchPage(handlers: PageHandlers, signal: AbortSignal): void {
  addEventListener("pagehide", () => handlers.handleLeave(), { signal });
  const handleReturn = (): void => {
    if (!document.hidden) handlers.handleReturn();
  };
  // A page that was frozen is resumed before, or without, becoming visible anew.
  for (const type of ["visibilitychange", "resume"])
    document.addEventListener(type, handleReturn, { signal });
}
