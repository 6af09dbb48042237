import type { AvatarSession } from "../../../src/client/index.ts";
import { VisavisAvatar } from "../../../src/widget/visavis-avatar.ts";
import { ScriptedSession, scriptedContext } from "../scripted-session.ts";
import { showForcedColours } from "./forced-colours.ts";
import { showLargeText } from "./large-text.ts";
import { galleryStates } from "./states.ts";
import { untilStill } from "./until-still.ts";

/**
 * One state of the widget in one look: `state.html?state=speaking&theme=dark&dir=rtl&lang=ar`. `data-shown` on the page's
 * body says that it is complete. `element` and `session` are global variables, for trying things out.
 */
const query = new URLSearchParams(location.search);
const name = query.get("state") ?? "launcher";
const state = galleryStates[name];
if (!state) throw new Error(`There is no state ${name}. The states are in states.ts.`);

const session = new ScriptedSession();
session.offered = {
  ...scriptedContext,
  ui: { ...scriptedContext.ui, ...state.ui },
  ...(state.voice && { voice: { recognizer: state.voice === true, browser: state.voice === "cloud" } }),
  ...(state.attachments && { attachments: ["image", "pdf"] }),
};
if (state.voice === "cloud") session.recognizer = "cloud";

class ScriptedAvatar extends VisavisAvatar {
  /** No first frame will come. Only a state that shows the opening itself waits for it. */
  protected override get patienceMs(): number {
    return state?.stopAfterMs === undefined ? 0 : super.patienceMs;
  }

  protected override makeSession(): AvatarSession {
    return session;
  }
}
customElements.define("visavis-avatar", ScriptedAvatar);

document.body.classList.toggle("dark", query.get("theme") === "dark");
document.documentElement.dir = query.get("dir") ?? "ltr";
document.documentElement.lang = query.get("lang") ?? "en";

/** Waits for a control of the panel: controls are loaded after the picture. */
async function control(selector: string): Promise<HTMLElement> {
  for (;;) {
    const found = element.shadowRoot?.querySelector<HTMLElement>(selector);
    if (found) return found;
    await new Promise(requestAnimationFrame);
  }
}

function place(avatar: HTMLElement): void {
  const variant = avatar.getAttribute("variant");
  const frame = document.createElement("div");
  if (variant === "inline") frame.className = "frame";
  if (variant === "inline") document.querySelector("main")?.append(frame);
  (variant === "inline" ? frame : document.body).append(avatar);
}

const element = new ScriptedAvatar();
Object.assign(globalThis, { element, session });
const asked = ["theme", "lang"].flatMap((key) => {
  const value = query.get(key);
  return value === null ? [] : [[key, value] as const];
});
for (const [key, value] of [
  ...asked,
  ...Object.entries(state.attributes ?? {}),
  ["context-id", "ctx_gallery"],
  ["relay", location.origin],
] as const)
  element.setAttribute(key, value);
place(element);
const textSize = query.get("text");
if (textSize !== null) showLargeText(element, textSize);
await element.updateComplete;

if (state.stopAfterMs === undefined && !state.closed) element.open();
// Only at the end of its opening animation is the panel at its final place.
await untilStill(element);
state.script(session);
await element.updateComplete;
for (const selector of state.press ?? []) (await control(selector)).click();
if (state.stopAfterMs !== undefined) {
  element.open();
  await new Promise((resolve) => setTimeout(resolve, state.stopAfterMs));
  for (const motion of document.getAnimations()) motion.pause();
} else await untilStill(element);
if (query.has("forced")) showForcedColours(element);
document.body.dataset["shown"] = name;
