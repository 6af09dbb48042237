import { isPageDark, watchPage } from "../../embed/page-theme.ts";
import type { UiConfig } from "../../protocol/settings/embed-config.ts";
import type { PanelHost } from "../panel/panel-host.ts";
import { isDark } from "./appearance.ts";

/** The owners' themes of the elements that follow their pages. */
const owners = new WeakMap<PanelHost, UiConfig["theme"]>();

/** Marks an element as dark where the page is, as the loader does: by neither its attribute nor its owner another theme was chosen. */
export function followPage(host: PanelHost, owner: UiConfig["theme"]): void {
  const isKnown = owners.has(host);
  owners.set(host, owner);
  if (isKnown) return;
  let watching: AbortController;
  const mark = (): void => {
    // The page is looked at when it rests, which may be after the element has gone.
    if (host.isConnected && isDark(host.getAttribute("theme"), owners.get(host)) === null)
      host.toggleAttribute("data-dark", isPageDark(host));
  };
  host.addController({
    hostConnected() {
      watching = new AbortController();
      watchPage(host, mark, watching.signal);
    },
    hostDisconnected() {
      watching.abort();
    },
  });
}
