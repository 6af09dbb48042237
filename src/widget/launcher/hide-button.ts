import type { LauncherParts } from "./launcher-controller.ts";

/** Adds the button that puts the launcher away at the edge of the page, for this tab. A click brings it back. */
export function addHideButton({ box, button }: LauncherParts, contextId: string): HTMLElement {
  const hide = document.createElement("button");
  hide.type = "button";
  hide.className = "vv-hide";
  hide.setAttribute("part", "launcher-hide");
  hide.textContent = "×";
  hide.addEventListener("click", () => {
    box.toggleAttribute("data-hidden", true);
    remember(contextId, "1");
    button.focus();
  });
  // Also without the loader, whose own listener comes first: the click only shows the launcher again.
  box.addEventListener(
    "click",
    (event) => {
      if (!box.hasAttribute("data-hidden") || event.target === hide) return;
      event.stopPropagation();
      box.removeAttribute("data-hidden");
      remember(contextId, "");
    },
    { capture: true },
  );
  box.append(hide);
  return hide;
}

/** The loader reads it on the tab's next page. Where the browser stores nothing, the launcher returns with the next page. */
function remember(contextId: string, hidden: string): void {
  try {
    sessionStorage.setItem(`visavis-hidden:${contextId}`, hidden);
  } catch {
    // Storage is blocked.
  }
}
