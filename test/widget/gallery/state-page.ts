import type { AvatarSession } from "../../../src/client/index.ts";
import { VisavisAvatar } from "../../../src/widget/visavis-avatar.ts";
import { ScriptedSession, scriptedContext } from "../scripted-session.ts";
import { showForcedColours } from "./forced-colours.ts";
import { showLargeText } from "./large-text.ts";
import { stateFaults } from "./state-faults.ts";
import { galleryStates, type GalleryState } from "./states.ts";
import { untilStill } from "./until-still.ts";

/**
 * One state of the widget in one look: `state.html?state=speaking&theme=dark&dir=rtl&lang=ar`. `data-shown` on the page's
 * body says that it is complete. `element` and `gallerySession` are global variables, for trying things out. `showState` shows another one in
 * the same page.
 */
declare global {
  interface Window {
    showState(query: Readonly<Record<string, string>>): Promise<void>;
    /** Gives the state that is shown another look, as a visitor's browser does. */
    changeLook(query: Readonly<Record<string, string>>): Promise<void>;
    /** What is wrong with the state that is shown. */
    stateFaults(): string[];
  }
}

let state: GalleryState;
let session: ScriptedSession;

class ScriptedAvatar extends VisavisAvatar {
  /** No first frame will come. Only a state that shows the opening itself waits for it. */
  protected override get patienceMs(): number {
    return state.stopAfterMs === undefined ? 0 : super.patienceMs;
  }

  protected override makeSession(): AvatarSession {
    return session;
  }
}

function scriptedSession({ ui, voice, attachments }: GalleryState): ScriptedSession {
  const scripted = new ScriptedSession();
  scripted.offered = {
    ...scriptedContext,
    ui: { ...scriptedContext.ui, ...ui },
    ...(voice && { voice: { recognizer: voice === true, browser: voice === "cloud" } }),
    ...(attachments && { attachments: ["image", "pdf"] }),
  };
  if (voice === "cloud") scripted.recognizer = "cloud";
  return scripted;
}

function place(avatar: HTMLElement): void {
  const isInline = avatar.getAttribute("variant") === "inline";
  const frame = document.createElement("div");
  if (isInline) frame.className = "frame";
  if (isInline) document.querySelector("main")?.append(frame);
  (isInline ? frame : document.body).append(avatar);
}

/** Waits for a control of the panel: controls are loaded after the picture. */
async function control(element: HTMLElement, selector: string): Promise<HTMLElement> {
  for (;;) {
    const found = element.shadowRoot?.querySelector<HTMLElement>(selector);
    if (found) return found;
    await new Promise(requestAnimationFrame);
  }
}

async function bringIntoState(element: ScriptedAvatar): Promise<void> {
  const { stopAfterMs, closed, press = [], script } = state;
  if (stopAfterMs === undefined && !closed) element.open();
  // Only at the end of its opening animation is the panel at its final place.
  await untilStill(element);
  script(session);
  await element.updateComplete;
  for (const selector of press) (await control(element, selector)).click();
  if (stopAfterMs === undefined) return untilStill(element);
  element.open();
  await new Promise((resolve) => setTimeout(resolve, stopAfterMs));
  for (const motion of document.getAnimations()) motion.pause();
}

async function showState(query: Readonly<Record<string, string>>): Promise<void> {
  const { state: name = "launcher", theme, lang, dir = "ltr", text, variant } = query;
  const wanted = galleryStates[name];
  if (!wanted) throw new Error(`There is no state ${name}. The states are in states.ts.`);
  delete document.body.dataset["shown"];
  for (const old of document.querySelectorAll("visavis-avatar, .frame")) old.remove();
  localStorage.clear();
  sessionStorage.clear();
  state = wanted;
  session = scriptedSession(wanted);
  document.body.classList.toggle("dark", theme === "dark");
  document.documentElement.dir = dir;
  document.documentElement.lang = lang ?? "en";
  const element = new ScriptedAvatar();
  Object.assign(globalThis, { element, gallerySession: session });
  const attributes = {
    ...(theme !== undefined && { theme }),
    ...(lang !== undefined && { lang }),
    ...(variant !== undefined && { variant }),
    ...state.attributes,
    "context-id": "ctx_gallery",
    relay: location.origin,
  };
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  place(element);
  showLargeText(element, text);
  await element.updateComplete;
  await bringIntoState(element);
  if ("forced" in query) showForcedColours(element);
  document.body.dataset["shown"] = name;
}

/** Direction, language and text size. The size of the window is the browser's. */
async function changeLook({ dir = "ltr", lang, text }: Readonly<Record<string, string>>): Promise<void> {
  const element = document.querySelector("visavis-avatar")!;
  document.documentElement.dir = dir;
  document.documentElement.lang = lang ?? "en";
  if (lang === undefined) element.removeAttribute("lang");
  else element.setAttribute("lang", lang);
  showLargeText(element, text);
  await element.updateComplete;
  await untilStill(element);
}

customElements.define("visavis-avatar", ScriptedAvatar);
window.showState = showState;
window.changeLook = changeLook;
window.stateFaults = () => stateFaults(document.querySelector<HTMLElement>("visavis-avatar")!, state);
await showState(Object.fromEntries(new URLSearchParams(location.search)));
