/** Whether the page is dark where `box` stands: by the background behind it, and where there is none, by the page's text being light. */
export function isPageDark(box: Element): boolean {
  const { body, documentElement: root } = document;
  const { left, top } = box.getBoundingClientRect();
  const paint = document.createElement("canvas").getContext("2d");
  // In a browser that keeps its pictures to itself.
  if (!paint) return false;
  const fill = (colour: string) => {
    paint.fillStyle = colour;
    paint.fillRect(0, 0, 1, 1);
  };
  fill(getComputedStyle(body).color);
  // The opposite of the text's colour is what it is read on.
  paint.globalCompositeOperation = "difference";
  fill("#fff");
  paint.globalCompositeOperation = "source-over";
  for (const one of [...document.elementsFromPoint(left, top), body, root].reverse())
    fill(getComputedStyle(one).backgroundColor);
  // Green is most of what eyes see as light.
  return Number(paint.getImageData(0, 0, 1, 1).data[1]) < 128;
}

/** Calls back now, and whenever the page or the element's `theme` may have changed. */
export function watchPage(element: Element, changed: () => void, signal: AbortSignal): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new MutationObserver(() => {
    // Some pages write such attributes in each frame while they scroll: they are looked at when they rest.
    clearTimeout(timer);
    timer = setTimeout(changed, 99);
  });
  for (const node of [document.documentElement, document.body, element])
    observer.observe(node, { attributes: true });
  matchMedia("(prefers-color-scheme:dark)").addEventListener("change", changed, { signal });
  signal.addEventListener("abort", () => observer.disconnect());
  changed();
}
