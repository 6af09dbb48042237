/**
 * Calls back when each CSS pixel has another number of the screen's pixels: the visitor has zoomed, or moved the window to another
 * screen. Elements of a fixed size keep their size then, so nothing else tells. Returns what ends that.
 */
export function watchPixelRatio(handle: () => void): () => void {
  let stop: () => void;
  const watch = (): void => {
    const query = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    query.addEventListener("change", change);
    stop = () => query.removeEventListener("change", change);
  };
  const change = (): void => {
    stop();
    watch();
    handle();
  };
  watch();
  return () => stop();
}
