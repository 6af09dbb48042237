import type { AvatarSession } from "../../../src/client/index.ts";
import { VisavisAvatar } from "../../../src/widget/visavis-avatar.ts";
import { ScriptedSession, scriptedContext } from "../scripted-session.ts";

/**
 * One state of the widget per page, for looking at and for screenshots:
 * `?state=speaking&variant=inline&width=800&theme=dark&dir=rtl&lang=ar&captions=false&text`.
 */
const query = new URLSearchParams(location.search);
const session = new ScriptedSession();

class ScriptedAvatar extends VisavisAvatar {
  protected override makeSession(): AvatarSession {
    return session;
  }
}
customElements.define("visavis-avatar", ScriptedAvatar);

const answer = "Yes. The Alder chair is only 68 centimetres wide, so it fits beside most bookcases.";
const question = "Do you have a reading chair that fits a small room?";

function converse(): void {
  session.write("visitor", question);
  session.write("avatar", `${answer} It comes in three wools.`);
  session.write("visitor", "Can I send it back if it doesn’t suit?");
  session.write(
    "avatar",
    "You can, within 60 days. We collect it from your home and the collection is free.",
  );
}

function live(): void {
  session.become("connecting");
  session.become("live");
}

const never = () => new Promise<void>(() => undefined);

const states: Record<string, () => void> = {
  idle: () => undefined,
  connecting: () => {
    session.onStart = never;
    session.become("connecting");
    session.emit("progress", { step: "avatar" });
  },
  suggestions: () => {
    live();
    session.write("avatar", scriptedContext.greeting);
  },
  ready: () => {
    live();
    session.write("avatar", scriptedContext.greeting);
    session.emit("captionend", { text: "What are you looking for today?" });
  },
  thinking: () => {
    live();
    session.write("visitor", question);
    session.act("thinking");
  },
  speaking: () => {
    live();
    session.write("visitor", question);
    session.write("avatar", answer, "streaming");
    session.act("speaking");
    session.emit("caption", { text: answer, word: "wide,", index: 8 });
  },
  blocked: () => {
    states["speaking"]?.();
    session.emit("soundblocked", { blocked: true });
  },
  reconnecting: () => {
    live();
    converse();
    session.become("reconnecting");
    session.emit("reconnectattempt", { attempt: 2, of: 5 });
  },
  text: () => {
    live();
    converse();
  },
  streaming: () => {
    live();
    converse();
    session.write("visitor", "Which wool is easiest to clean?");
    session.write("avatar", "The grey melange hides marks best, and all three can be", "interrupted");
    session.write("visitor", "And is there one in green?");
    session.write("avatar", "There is. Moss green comes", "streaming");
    session.act("speaking");
    session.emit("caption", { text: "There is. Moss green comes with oak legs.", word: "Moss", index: 2 });
  },
  ended: () => {
    const now = Date.now;
    Date.now = () => now() - 240_000;
    live();
    converse();
    Date.now = now;
    session.become("ended");
  },
  error: () => {
    session.emit("error", { code: "connection_failed", message: "No connection" });
    session.become("error");
  },
  forbidden: () => {
    session.emit("error", { code: "origin_not_allowed", message: "Not allowed" });
    session.become("error");
  },
};

/** A control of the panel, as soon as it is there: controls are loaded after the picture. */
async function control(selector: string): Promise<HTMLElement> {
  for (;;) {
    const found = element.shadowRoot?.querySelector<HTMLElement>(selector);
    if (found) return found;
    await new Promise(requestAnimationFrame);
  }
}

const ui = { ...scriptedContext.ui, contact_url: "https://alder.example/contact" };
if (query.has("consent")) Object.assign(ui, { privacy_url: "https://alder.example/privacy" });
if (query.get("state") === "ready") Object.assign(ui, { suggestions: [] });
if (query.has("brand")) Object.assign(ui, { brand_color: `#${query.get("brand") ?? ""}` });
session.offered = { ...scriptedContext, ui };
if (query.has("nostill")) {
  const style = { ...scriptedContext.model_style, poster: null, still: null };
  session.offered = { ...session.offered, model_style: style };
}

document.body.classList.toggle("dark", query.get("theme") === "dark");
document.documentElement.dir = query.get("dir") ?? "ltr";
const element = new ScriptedAvatar();
for (const name of ["variant", "theme", "lang", "captions", "placement", "mode", "transparent"]) {
  const value = query.get(name);
  if (value !== null) element.setAttribute(name, value);
}
element.setAttribute("context-id", "ctx_gallery");
element.setAttribute("relay", location.origin);
const frame = document.createElement("div");
frame.className = element.getAttribute("variant") === "inline" ? "frame" : "";
if (query.has("width")) frame.style.width = `${query.get("width") ?? ""}px`;
if (element.getAttribute("variant") === "fullscreen") document.body.append(element);
else {
  frame.append(element);
  document.querySelector("main")?.append(frame);
}
await element.updateComplete;
const state = query.get("state");
if (state) {
  if (!query.has("closed")) element.open();
  await new Promise((resolve) => setTimeout(resolve, 50));
  states[state]?.();
  if (query.has("text")) (await control(".vv-btn.main")).click();
}
Object.assign(globalThis, { element, session });
