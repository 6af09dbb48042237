import type { Placement } from "../../protocol/settings/embed-config.ts";
import { nearestPlacement, placementTowards } from "../settings/placements.ts";
import type { LauncherParts } from "./launcher-controller.ts";

/** A pointer that has moved less still clicks, in CSS pixels. */
const clickRadius = 8;
const settleMs = 220;

/**
 * Lets the visitor move a launcher to another place: by pointer, or by the arrow keys while it has the focus. `isStill`: the
 * visitor has chosen less motion.
 */
export function makeMovable(
  parts: LauncherParts,
  choose: (place: Placement) => void,
  isStill: () => boolean,
): void {
  const move = (place: Placement | null) => {
    const { box, button } = parts;
    const before = button.getBoundingClientRect();
    box.style.translate = "";
    if (place) {
      box.dataset["place"] = place;
      choose(place);
    }
    if (!isStill()) settle(box, before, button.getBoundingClientRect());
  };
  followPointer(parts, move);
  followArrows(parts, move);
}

/** Lets a launcher glide from where it was to its place. */
function settle(box: HTMLElement, before: DOMRect, now: DOMRect): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const from = `${before.x - now.x}px ${before.y - now.y}px`;
  box.animate({ translate: [from, "0px 0px"] }, { duration: settleMs, easing: "ease-out" });
}

function followPointer({ box, button }: LauncherParts, move: (place: Placement | null) => void): void {
  let from: { x: number; y: number } | null = null;
  const isDragged = () => box.hasAttribute("data-dragged");
  const stop = () => {
    from = null;
    box.removeAttribute("data-dragged");
  };
  button.addEventListener("pointerdown", ({ button: which, pointerId, clientX: x, clientY: y }) => {
    if (which !== 0 || box.hasAttribute("data-hidden")) return;
    from = { x, y };
    // A fast pointer leaves the button with its first move.
    button.setPointerCapture(pointerId);
  });
  button.addEventListener("pointermove", ({ clientX, clientY }) => {
    if (!from) return;
    const [dx, dy] = [clientX - from.x, clientY - from.y];
    if (!isDragged()) {
      if (Math.hypot(dx, dy) < clickRadius) return;
      box.toggleAttribute("data-dragged", true);
    }
    box.style.translate = `${dx}px ${dy}px`;
  });
  button.addEventListener("pointerup", ({ clientX, clientY }) => {
    if (isDragged()) {
      swallowClick(box);
      move(nearestPlacement(clientX / innerWidth, clientY / innerHeight));
    }
    stop();
  });
  button.addEventListener("pointercancel", () => {
    if (isDragged()) move(null);
    stop();
  });
}

/** The browser makes a click of the end of a drag. It comes at once, or not at all. */
function swallowClick(box: HTMLElement): void {
  const swallow = (event: Event) => {
    event.stopImmediatePropagation();
  };
  box.addEventListener("click", swallow, { capture: true });
  setTimeout(() => {
    box.removeEventListener("click", swallow, { capture: true });
  });
}

function followArrows({ box, button }: LauncherParts, move: (place: Placement) => void): void {
  button.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const place = placementTowards(box.dataset["place"] ?? "", event.key);
    if (!place || box.hasAttribute("data-hidden")) return;
    event.preventDefault();
    move(place);
  });
}
