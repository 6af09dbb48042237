import type { LauncherRecord } from "./launcher-record.ts";

/** Makes an element of attributes and text nodes. Nothing parses markup: a strict content security policy allows it. */
function make(name: string, attributes: Record<string, string>, ...children: (Node | string)[]): HTMLElement {
  const space = /svg|rect/.test(name) ? "2000/svg" : "1999/xhtml";
  const element = document.createElementNS(`http://www.w3.org/${space}`, name) as HTMLElement;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** The launcher's box. An inline one takes its room in the page before there is anything to show. */
export function makeBox(inline: boolean): HTMLElement {
  return make("div", { class: inline ? "vv-launch vv-inline" : "vv-launch", part: "launcher" });
}

/** The picture in its ring. The widget uses the ring too, with its strokes for light and progress. */
function makeWindow(still: string | null): HTMLElement {
  const view = make("span", { class: "vv-view" });
  if (still) view.append(make("img", { class: "vv-still", alt: "", src: still }));
  const strokes = ["t", "l", "n", "m"].map((name) => make("rect", { class: name, pathLength: "100" }));
  const ring = make("svg", { class: "vv-ring" }, ...strokes);
  return make("span", { class: "vv-window", "data-ring": "idle" }, view, ring);
}

/** Fills the box with the launcher's button, its label and the button that hides it. Returns both buttons. */
export function drawLauncher(box: HTMLElement, record: LauncherRecord): [HTMLElement, HTMLElement] {
  const { title, subtitle, still, hide_label } = record;
  const button = make(
    "button",
    {
      class: "vv-launcher",
      part: "launcher-button",
      "aria-expanded": "false",
      "aria-label": title,
    },
    makeWindow(still),
  );
  const words = [make("b", { dir: "auto" }, title), make("span", { dir: "auto" }, subtitle)];
  const label = make("span", { class: "vv-label", "aria-hidden": "true" }, ...words);
  label.onclick = () => button.click();
  const attributes = { class: "vv-hide", part: "launcher-hide", "aria-label": hide_label };
  const hide = make("button", attributes, "×");
  box.append(button, label, hide);
  return [button, hide];
}
