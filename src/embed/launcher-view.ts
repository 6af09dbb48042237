import type { LauncherRecord } from "./launcher-record.ts";

/** Makes an element of attributes, named as in HTML or as in `dataset`, and text nodes. Nothing parses markup: a strict content security policy allows it. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    element.setAttribute(key.replace(/[A-Z]/, "-$&"), value);
  element.append(...children);
  return element;
}

/** The picture. Its outline is the ring, until the widget draws one that shows a session's state. */
function makeWindow({ still, picture }: LauncherRecord): HTMLElement {
  const view = make("span", { class: "vv-window" });
  if (picture) {
    // The record has no room for a large one.
    const image = make("img", { class: "vv-still", alt: "", src: still ?? picture });
    // A page's policy may allow no data: images.
    image.onerror = () => {
      image.onerror = null;
      image.src = picture;
    };
    view.append(image);
  }
  return view;
}

/** Fills the box with the launcher's button and its label, which is the button's name too. Returns both. */
export function drawLauncher(box: HTMLElement, record: LauncherRecord): [HTMLElement, HTMLElement] {
  const { title, subtitle } = record;
  const button = make(
    "button",
    {
      class: "vv-launcher",
      part: "launcher-button",
      "aria-labelledby": "vv-label",
    },
    makeWindow(record),
  );
  const words = [make("b", { dir: "auto" }, title), make("span", { dir: "auto" }, subtitle)];
  const label = make("span", { "aria-hidden": "true", id: "vv-label", class: "vv-label" }, ...words);
  box.append(button, label);
  return [button, label];
}
