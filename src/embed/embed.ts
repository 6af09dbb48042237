import { launch } from "./launcher.ts";

/** Attributes of the element that the script tag takes as `data-…`, besides the context. */
const passed =
  "relay variant placement lang theme mode transparent captions open padding-left padding-top padding-height".split(
    " ",
  );

/** The element that a script tag asks for, if it names a context. */
function elementOf(script: HTMLScriptElement): HTMLElement | undefined {
  const { context } = script.dataset;
  if (!context) return;
  const element = document.createElement("visavis-avatar");
  element.setAttribute("context-id", context);
  for (const name of passed) {
    const value = script.getAttribute(`data-${name}`);
    if (value !== null) element.setAttribute(name, value);
  }
  return element;
}

/** Puts the element where the owner points, in the place of an inline one's tag, else at the body's end. */
function place(element: HTMLElement, script: HTMLScriptElement): void {
  const { target, variant } = script.dataset;
  const body = document.body as HTMLElement | null;
  if (target) document.querySelector(target)?.append(element);
  else if (variant === "inline" && body?.contains(script)) script.after(element);
  else body?.append(element);
}

function run(script: HTMLScriptElement): void {
  const element = elementOf(script);
  const relay = script.src.replace(/\/[^/]*$/, "");
  const start = () => {
    if (element && !element.isConnected) place(element, script);
    // Also those that stand in the page's own markup, as far as it has been read.
    for (const found of document.querySelectorAll<HTMLElement>("visavis-avatar")) void launch(found, relay);
  };
  start();
  addEventListener("DOMContentLoaded", start);
}

/** The tag that this script came in is known only while it runs for the first time. */
run(document.currentScript as HTMLScriptElement);
