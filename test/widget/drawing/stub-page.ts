import { vi } from "vitest";

/** A page for an avatar that paints into fakes: `requestFrame` gets each step that waits for the next frame. */
export function stubPage(requestFrame: (step: FrameRequestCallback) => void = () => undefined): void {
  vi.stubGlobal("document", { createElement: () => ({ append: vi.fn() }) });
  vi.stubGlobal("devicePixelRatio", 1);
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe = vi.fn();
      disconnect = vi.fn();
    },
  );
  vi.stubGlobal("requestAnimationFrame", (step: FrameRequestCallback) => {
    requestFrame(step);
    return 1;
  });
  vi.stubGlobal("cancelAnimationFrame", vi.fn());
}
