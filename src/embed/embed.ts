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
  const body = document.body as HTMLElement | null;
  if (target) document.querySelector(target)?.append(element);
  else if (variant === "inline" && body?.contains(script)) script.after(element);
  else body?.append(element);
}

function run(script: HTMLScriptElement): void {
  const element = elementOf(script);
  // The loader's name, and the version before it where the address has one.
  const relay = script.src.replace(/(\/embed\/[^/]{16})?\/[^/]*$/, "");
  const start = () => {
    if (element && !element.isConnected) place(element, script);
    // Also the elements in the page's own markup, as far as it has been parsed.
    for (const found of document.querySelectorAll<HTMLElement>("visavis-avatar")) void launch(found, relay);
    if (document.readyState !== "loading" && !document.querySelector("[context-id]"))
      tellOwner("data-context is missing, or data-target matches nothing");
  };
  // Browsers send this event also for a policy that only reports.
  addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective }) => {
    if (blockedURI.startsWith(relay)) tellOwner(`CSP: allow ${relay} in ${effectiveDirective}`);
  });
  start();
  addEventListener("DOMContentLoaded", start);
}

/** The browser names the tag of this script only while it runs for the first time. */
run(document.currentScript as HTMLScriptElement);
