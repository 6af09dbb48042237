import {
  previewShowSchema,
  type PreviewReport,
  type PreviewShow,
} from "../editor/preview/preview-message.ts";
import { FramingHandles } from "./framing-handles.ts";
import { ShownAvatar } from "./shown-avatar.ts";
import "./preview.css";

/** The part of the page with this id, which `preview.html` has. */
function part(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The preview's page has no #${id}.`);
  return element;
}

function report(message: PreviewReport): void {
  parent.postMessage(message, location.origin);
}

const avatar = new ShownAvatar(part("place"), report);
const handles = new FramingHandles(
  { root: part("framing"), move: part("move"), resize: part("resize"), corner: part("corner") },
  avatar,
  (paddings) => {
    avatar.frame(paddings);
    report({ type: "visavis-preview-framing", paddings });
  },
);

function show(message: PreviewShow): void {
  const { owner, attributes, framing } = message;
  document.documentElement.dataset["theme"] = attributes.theme;
  part("owner").textContent = owner;
  part("site").hidden = message.mode === "text" || attributes.variant === "fullscreen";
  avatar.show(message);
  handles.show(framing, attributes.paddings);
}

addEventListener("message", ({ origin, source, data }: MessageEvent<unknown>) => {
  if (origin !== location.origin || source !== parent) return;
  const message = previewShowSchema.safeParse(data);
  if (message.success) show(message.data);
});

report({ type: "visavis-preview-ready" });
