import styles from "./loader.css?inline";
import { ask, contextAddress, type LauncherRecord, type Refusal } from "./launcher-record.ts";
import { drawLauncher, make } from "./launcher-view.ts";
import { standIn } from "./stand-in.ts";

const tagName = "visavis-avatar";

const isWidgetThere = () => customElements.get(tagName);

/** Both storages as plain records, because their methods would cost more bytes. */
declare const sessionStorage: Record<string, string | undefined>;
declare const localStorage: typeof sessionStorage;

/** Tells the page why there is no avatar. */
function tell(element: HTMLElement, detail: Refusal): void {
  element.dispatchEvent(new CustomEvent("visavis-error", { detail, bubbles: true }));
}

function adopt(root: ShadowRoot, styles: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets.push(sheet);
}

/**
 * Loads the widget once, and what it will ask for first. After a failure, which the page is told, it can be called again.
 */
function widgetLoader(
  element: HTMLElement,
  relay: string,
  contextId: string,
  record: Promise<LauncherRecord | Refusal>,
): () => Promise<unknown> {
  let loading: Promise<unknown> | undefined;
  const load = async () => {
    // It also says whether this page may use the context: the launcher's record is the same for all pages.
    void ask(relay, contextAddress(relay, contextId), "low");
    const known = await record;
    // Without a record the widget is loaded from the relay's fixed address, and shows what is wrong.
    await import(/* @vite-ignore */ relay + ("code" in known ? "/widget.js" : known.widget));
  };
  return () => {
    if (!loading)
      (loading = load()).catch((error: unknown) => {
        loading = undefined;
        tell(element, { code: "network", message: String(error) });
      });
    return loading;
  };
}

/** What the browser remembers, for the tab or on the device; nothing where it does not allow that. */
function remembered(key: string): string | undefined {
  try {
    return sessionStorage[key] ?? localStorage[key];
  } catch {
    return undefined;
  }
}

/**
 * The launcher stays hidden at the page's edge if the visitor has put it there (the widget does that), until it is clicked.
 * `hidden` is what remembers it.
 */
function listen(
  box: HTMLElement,
  button: HTMLElement,
  hidden: string,
  offline: string,
  load: () => Promise<unknown>,
): void {
  const press = () => button.click();
  box.toggleAttribute("data-hidden", !!remembered(hidden));
  // A finger enters the button too when it touches it. The widget prepares the offer where the visitor has reached for it.
  button.onpointerenter = button.onfocus = () => {
    button.dataset.reached = "1";
    void load();
  };
  button.addEventListener("click", (event) => {
    if (box.hasAttribute("data-hidden")) {
      // The click only shows the launcher again; the widget's own listener, added later, does not get it.
      event.stopImmediatePropagation();
      box.toggleAttribute("data-hidden");
      sessionStorage[hidden] = "";
    } else if (!isWidgetThere())
      load().then(press, () => {
        if (navigator.onLine) return;
        // Screen readers announce it as the new name of the focused button.
        button.nextElementSibling?.replaceChildren(offline);
        addEventListener("online", press, { once: true });
      });
  });
}

/** Marks the element as dark, by the owner's setting or the visitor's system. The widget uses the same mark. */
function followTheme(element: HTMLElement, theme: string): void {
  const system = matchMedia("(prefers-color-scheme:dark)");
  (system.onchange = () =>
    element.toggleAttribute("data-dark", theme === "dark" || (theme !== "light" && system.matches)))();
}

/** Calls back when the page is loaded and has nothing else to do. */
function whenIdle(then: () => void): void {
  if (document.readyState === "complete")
    // eslint-disable-next-line no-restricted-syntax -- Safari has no such callback, though TypeScript's library has it for all
    ((self as Partial<Window>).requestIdleCallback ?? setTimeout)(then);
  else addEventListener("load", () => whenIdle(then));
}

/** Draws the launcher of an element in the page, unless it has one already or names no context. */
export async function launch(element: HTMLElement, defaultRelay: string): Promise<void> {
  const setting = (name: string) => element.getAttribute(name);
  const contextId = setting("context-id");
  if (!contextId || element.shadowRoot || isWidgetThere()) return;
  const relay = (setting("relay") || defaultRelay).replace(/\/$/, "");
  element.setAttribute("relay", relay);
  const lang = element.closest<HTMLElement>("[lang]")?.lang || navigator.language;
  // Without WebRTC the conversation may be in writing.
  const query = `lang=${lang}&mode=${setting("mode")}&variant=${setting("variant")}&peers=${"RTCPeerConnection" in self}`;
  const fetched = ask<LauncherRecord>(relay, `${contextAddress(relay, contextId)}/launcher?${query}`);
  const load = widgetLoader(element, relay, contextId, fetched);
  standIn(element, load);
  const root = element.attachShadow({ mode: "open" });
  adopt(root, styles);
  // An inline one takes its room in the page before there is anything to show.
  const box = make("div", { class: "vv-launch", part: "launcher" });
  root.append(box);
  // The tab's last page has kept a conversation, which the widget takes up.
  if (setting("open") !== null || remembered("visavis-kept:" + contextId)) void load();

  const record = await fetched;
  // The page stays as it was, without room for a launcher.
  if ("code" in record || isWidgetThere()) {
    box.remove();
    if ("code" in record) tell(element, record);
    return;
  }
  if (record.variant !== "bubble") element.setAttribute("variant", record.variant);
  adopt(root, record.styles);
  followTheme(element, setting("theme") ?? record.theme);
  box.dataset.place = remembered("visavis-place:" + contextId) ?? setting("placement") ?? record.placement;
  // A frame in the page cannot be put away.
  const hidden = record.variant === "inline" ? "" : "visavis-hidden:" + contextId;
  listen(box, drawLauncher(box, record), hidden, record.offline, load);
  // Pages hide elements until they are defined: then nobody could reach for the launcher that defines this one.
  if (!box.offsetWidth) void load();
  if ((setting("prefetch") ?? record.prefetch) === "idle" && !navigator.connection?.saveData) whenIdle(load);
}
