import { launch } from "./launcher.ts";
import { make } from "./launcher-view.ts";
import { tellOwner } from "./owner-line.ts";

/** What a tag asks for: `context`, `target` and the element's attributes, named as in `dataset`. */
type Settings = Record<string, string>;

declare global {
  interface Window {
    /** Set by the page before the tag, where its system drops attributes and addresses. */
    visavis?: Settings;
    /** There as long as a loader is at work. */
    Visavis?: {
      /** Takes away what the page's tags have added, and ends its conversations. */
      remove(): void;
    };
  }
}

function run(script: HTMLScriptElement): void {
  const { src } = script;
  const { context, target, ...attributes }: Settings = {
    ...self.visavis,
    ...Object.fromEntries(new URL(src).searchParams),
    ...(script.dataset as Settings),
  };
  // The loader's name, and the version before it where the address has one.
  const relay = src.replace(/(\/embed\/[^/]{16})?\/[^/]*$/, "");
  const element = context && make("visavis-avatar" as "div", { contextId: context, relay, ...attributes });
  const life = new AbortController();
  const { signal } = life;
  /** Where the element was put. */
  let parent: Element | null | undefined;

  /**
   * Puts the element into the target, or an inline one after its tag, or at the end of the body. Where the context has one already, this tag
   * has nothing to do. An element that has gone with the page's old content comes back, on a page that has been replaced or still has the tag.
   */
  const place = () => {
    if (!element || element.isConnected) return;
    const tag = [...document.scripts].find((one) => one.isEqualNode(script));
    if (parent?.isConnected && !tag) return;
    const before = !target && attributes["variant"] === "inline" && tag?.closest("body") && tag;
    parent = before ? before.parentElement : document.querySelector(target || "body");
    if (parent?.querySelector(`:scope>visavis-avatar[context-id="${context}"]`)) life.abort();
    else parent?.insertBefore(element, before ? before.nextSibling : null);
  };
  // Also the elements in the page's own markup, and those that the page adds later.
  const update = () => {
    place();
    for (const found of document.querySelectorAll<HTMLElement>("visavis-avatar"))
      // A browser that is too old for it has no launcher.
      launch(found, relay, signal).catch(tellOwner);
  };
  const start = () => {
    update();
    // Each launcher's element has got its relay.
    if (document.readyState === "loading" || document.querySelector("[relay]")) return;
    tellOwner("check context and target");
    // In shadow roots only the browser finds elements, once they are defined.
    if (!element) void import(/* @vite-ignore */ relay + "/widget.js");
  };
  const removeOthers = self.Visavis?.remove;
  const remove = () => {
    life.abort();
    delete self.Visavis;
    if (element) element.replaceWith();
    removeOthers?.();
  };
  if (element) element.remove = remove;
  self.Visavis = { remove };
  // Browsers send this event also for a policy that only reports.
  addEventListener(
    "securitypolicyviolation",
    ({ blockedURI, effectiveDirective }) => {
      if (blockedURI.startsWith(relay)) tellOwner(`CSP: allow ${relay} in ${effectiveDirective}`);
    },
    { signal },
  );
  start();
  addEventListener("DOMContentLoaded", start, { signal });
  if (signal.aborted) return;
  const observer = new MutationObserver(update);
  signal.onabort = () => observer.disconnect();
  observer.observe(document, { childList: true, attributeFilter: ["context-id"], subtree: true });
}

try {
  // The browser names the tag of this script only while it runs for the first time, and never that of a module.
  run(
    (document.currentScript ??
      document.querySelector("script[data-context],script[src*='/embed.js']")) as HTMLScriptElement,
  );
} catch (error) {
  tellOwner(error);
}
