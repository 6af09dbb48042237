/** Whether the browser has a network. Outside a browser it counts as there. */
export function isOnline(): boolean {
  return typeof navigator === "undefined" || !("onLine" in navigator) || navigator.onLine;
}

/** Resolves when the browser has a network. */
export async function untilOnline(signal: AbortSignal): Promise<void> {
  if (isOnline()) return;
  await new Promise((resolve) => {
    addEventListener("online", resolve, { once: true, signal });
  });
}
