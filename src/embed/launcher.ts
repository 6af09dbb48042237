import styles from "./loader.css?inline";
import { contextAddress, fetchLauncher, type LauncherRecord } from "./launcher-record.ts";
import { drawLauncher, makeBox } from "./launcher-view.ts";
import { standIn } from "./stand-in.ts";

const tagName = "visavis-avatar";

const isWidgetThere = () => customElements.get(tagName);

const ignore = () => undefined;

/** Tells the page why there is no avatar. */
function tell(element: HTMLElement, code: string): void {
  const detail = { code, message: `No avatar: ${code}` };
  element.dispatchEvent(new CustomEvent("visavis-error", { detail, bubbles: true, composed: true }));
}

function sheetOf(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}

/** Loads the widget once, and what it will ask for first. After a failure it can be called again. */
function widgetLoader(
  element: HTMLElement,
  relay: string,
  contextId: string,
  record: Promise<LauncherRecord | string>,
): () => Promise<unknown> {
  let loading: Promise<unknown> | undefined;
  const load = async () => {
    fetch(contextAddress(relay, contextId), { credentials: "omit", priority: "low" }).catch(ignore);
    const known = await record;
    try {
      // Without a record the widget is loaded from the relay's fixed address, and shows what is wrong.
      await import(/* @vite-ignore */ relay + (typeof known === "string" ? "/widget.js" : known.widget));
    } catch (error) {
      loading = undefined;
      tell(element, "network");
      throw error;
    }
  };
  return () => (loading ??= load());
}

/** What a tab remembers; where the browser does not allow that, what the page remembers. */
function memory(): Record<string, string> {
  try {
    return sessionStorage;
  } catch {
    return {};
  }
}

/** Hides the launcher at the page's edge, and shows it again. */
function dismissal(box: HTMLElement, contextId: string): (hidden: boolean) => void {
  const key = `visavis-hidden:${contextId}`;
  const remembered = memory();
  const set = (hidden: boolean) => box.toggleAttribute("data-hidden", hidden);
  set(Boolean(remembered[key]));
  return (hidden) => {
    set(hidden);
    remembered[key] = hidden ? "1" : "";
  };
}

function listen(
  box: HTMLElement,
  [button, hide]: [HTMLElement, HTMLElement],
  setHidden: (hidden: boolean) => void,
  load: () => Promise<unknown>,
): void {
  const prepare = () => void load().catch(ignore);
  button.onpointerenter = button.onfocus = prepare;
  button.addEventListener("click", (event) => {
    if (box.hasAttribute("data-hidden")) {
      // The click only shows the launcher again; the widget's own listener, added later, does not get it.
      event.stopImmediatePropagation();
      setHidden(false);
    } else if (!isWidgetThere()) load().then(() => button.click(), ignore);
  });
  hide.onclick = () => {
    setHidden(true);
    button.focus();
  };
}

/** Marks the element as dark, by the owner's setting or the visitor's system. The widget uses the same mark. */
function followTheme(element: HTMLElement, theme: string): void {
  const system = matchMedia("(prefers-color-scheme:dark)");
  const apply = () =>
    element.toggleAttribute("data-dark", theme === "dark" || (theme !== "light" && system.matches));
  apply();
  system.onchange = apply;
}

/** Draws the launcher of an element in the page, unless it has one already or names no context. */
export async function launch(element: HTMLElement, defaultRelay: string): Promise<void> {
  const setting = (name: string) => element.getAttribute(name);
  const contextId = setting("context-id");
  if (!contextId || element.shadowRoot || isWidgetThere()) return;
  const relay = (setting("relay") ?? defaultRelay).replace(/\/$/, "");
  element.setAttribute("relay", relay);
  const fetched = fetchLauncher(relay, contextId);
  const load = widgetLoader(element, relay, contextId, fetched);
  standIn(element, load);
  const root = element.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [sheetOf(styles)];
  const box = makeBox(setting("variant") === "inline");
  root.append(box);
  if (setting("open") !== null) load().catch(ignore);

  const record = await fetched;
  // The page stays as it was, without room for a launcher.
  const failed = typeof record === "string";
  if (failed || isWidgetThere()) {
    box.remove();
    if (failed) tell(element, record);
    return;
  }
  const variant = setting("variant") ?? record.variant;
  if (variant !== "bubble") element.setAttribute("variant", variant);
  if (record.brand_color)
    root.adoptedStyleSheets.push(sheetOf(`:host{--visavis-brand:${record.brand_color}}`));
  followTheme(element, setting("theme") ?? record.theme);
  box.dataset.place = setting("placement") ?? record.placement;
  box.classList.toggle("vv-inline", variant === "inline");
  listen(box, drawLauncher(box, record), dismissal(box, contextId), load);
}
