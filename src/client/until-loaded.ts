/** Time between attempts, in ms. */
const loadAgainMs = 2_000;

/** Loads a module, and tries it again until it is there: the network may be away. `handleFailure` is called before each wait. */
export async function untilLoaded<T>(load: () => Promise<T>, handleFailure?: () => void): Promise<T> {
  for (;;)
    try {
      return await load();
    } catch {
      handleFailure?.();
      await new Promise((resolve) => setTimeout(resolve, loadAgainMs));
    }
}
