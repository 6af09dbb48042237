import { passedAttributes } from "./attributes.ts";
import { launch } from "./launcher.ts";
import { tellOwner } from "./owner-line.ts";

/** The element that a script tag asks for, if it names a context. */
function elementOf(script: HTMLScriptElement): HTMLElement | undefined {
  const { context } = script.dataset;
  if (!context) return;
  const element = document.createElement("visavis-avatar");
  element.setAttribute("context-id", context);
  for (const name of passedAttributes) {
    const value = script.getAttribute(`data-${name}`);
    if (value !== null) element.setAttribute(name, value);
  }
  return element;
}

/** Puts the element into the target, or an inline one after its tag, or at the end of the body. */
function place(element: HTMLElement, script: HTMLScriptElement): void {
  const { target, variant } = script.dataset;
  if (!target && variant === "inline" && script.closest("body")) script.after(element);
  else document.querySelector(target || "body")?.append(element);
}

function run(script: HTMLScriptElement): void {
  const element = elementOf(script);
  // The loader's name, and the version before it where the address has one.
  const relay = script.src.replace(/(\/embed\/[^/]{16})?\/[^/]*$/, "");
  // Also the elements in the page's own markup, and those that the page adds later.
  const launchAll = () => {
    for (const found of document.querySelectorAll<HTMLElement>("visavis-avatar")) void launch(found, relay);
  };
  const start = () => {
    if (element && !element.isConnected) place(element, script);
    launchAll();
    // Each launcher's element has got its relay.
    if (document.readyState === "loading" || document.querySelector("[relay]")) return;
    tellOwner("data-context is missing, or data-target matches nothing");
    // In shadow roots only the browser finds elements, once they are defined.
    if (!element) void import(/* @vite-ignore */ relay + "/widget.js");
  };
  // Browsers send this event also for a policy that only reports.
  addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective }) => {
    if (blockedURI.startsWith(relay)) tellOwner(`CSP: allow ${relay} in ${effectiveDirective}`);
  });
  start();
  addEventListener("DOMContentLoaded", start);
  new MutationObserver(launchAll).observe(document, {
    attributeFilter: ["context-id"],
    subtree: true,
    childList: true,
  });
}

/** The browser names the tag of this script only while it runs for the first time, and never that of a module. */
run((document.currentScript ?? document.querySelector("[data-context]")) as HTMLScriptElement);
