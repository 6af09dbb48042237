import styles from "./loader.css?inline";
import { ask, type LauncherRecord, type Refusal } from "./launcher-record.ts";
import { drawLauncher, make } from "./launcher-view.ts";
import { isPageDark, watchPage } from "./page-theme.ts";
import { standIn } from "./stand-in.ts";

const isWidgetThere = () => customElements.get("visavis-avatar");

/** Both storages as plain records, because their methods would cost more bytes. */
declare const sessionStorage: Record<string, string | undefined>;
declare const localStorage: typeof sessionStorage;

/** Tells the page why there is no avatar. */
function tell(element: HTMLElement, detail: Refusal): void {
  element.dispatchEvent(new CustomEvent("visavis-error", { detail, bubbles: true, composed: true }));
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
  address: string,
  record: () => Promise<LauncherRecord | Refusal>,
): () => Promise<unknown> {
  let loading: Promise<unknown> | undefined;
  const load = async () => {
    // It also says whether this page may use the context: the launcher's record is the same for all pages.
    void ask(relay, address);
    const known = await record();
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
    // Nothing.
  }
}

/**
 * The launcher stays hidden at the page's edge if the visitor has put it there (the widget does that), until it is clicked.
 * `hidden` is what remembers it.
 */
function listen(
  box: HTMLElement,
  [button, label]: [HTMLElement, HTMLElement],
  hidden: string,
  offline: string,
  load: () => Promise<unknown>,
): void {
  const press = (label.onclick = () => button.click());
  box.toggleAttribute("data-hidden", !!remembered(hidden));
  // A finger enters the button too when it touches it. The widget prepares the offer where the visitor has reached for it.
  button.onpointerenter = button.onfocus = () => {
    button.dataset.reached = "1";
    void load();
  };
  button.addEventListener("click", () => {
    if (!isWidgetThere())
      load().then(press, () => {
        if (navigator.onLine) return;
        // Screen readers announce it as the new name of the focused button.
        label.replaceChildren(offline);
        addEventListener("online", press, { once: true });
      });
  });
}

/** Calls back when the page is loaded and has nothing else to do. */
function whenIdle(then: () => void): void {
  if (document.readyState === "complete")
    // eslint-disable-next-line no-restricted-syntax -- Safari has no such callback, though TypeScript's library has it for all
    ((self as Partial<Window>).requestIdleCallback ?? setTimeout)(then);
  else addEventListener("load", () => whenIdle(then));
}

/** Waits, or until the network or the visitor is back. */
function pause(ms: number, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
    for (const type of ["pageshow", "visibilitychange", "online"])
      addEventListener(type, resolve, { signal, once: true });
  });
}

/** Draws the launcher of an element in the page, unless it has one already or names no context. */
export async function launch(element: HTMLElement, defaultRelay: string, signal: AbortSignal): Promise<void> {
  const setting = (name: string) => element.getAttribute(name);
  const contextId = setting("context-id");
  if (!contextId || element.shadowRoot || isWidgetThere()) return;
  const relay = (setting("relay") || defaultRelay).replace(/\/$/, "");
  element.setAttribute("relay", relay);
  const lang = element.closest<HTMLElement>("[lang]")?.lang || navigator.language;
  // Without WebRTC the conversation may be in writing.
  const query = `lang=${lang}&mode=${setting("mode")}&variant=${setting("variant")}&peers=${"RTCPeerConnection" in self}`;
  // The widget asks for the same address, and gets its answer from the browser's cache.
  const address = `${relay}/embed/v1/contexts/${contextId}`;
  const fetchRecord = () => ask<LauncherRecord>(relay, `${address}/launcher?${query}`);
  let fetched = fetchRecord();
  const load = widgetLoader(element, relay, address, () => fetched);
  standIn(element, load);
  const root = element.attachShadow({ mode: "open" });
  adopt(root, styles);
  // An inline one takes its room in the page before there is anything to show.
  const box = make("div", { class: "vv-launch", part: "launcher" });
  root.append(box);
  // The tab's last page has kept a conversation, which the widget takes up.
  if (setting("open") !== null || remembered("visavis-kept:" + contextId)) void load();

  let record = await fetched;
  for (let tries = 0; "code" in record; tries++) {
    // The page stays as it was, without room for a launcher.
    box.remove();
    if (!tries) tell(element, record);
    // A context that is not there, or not for this page, stays so.
    if (/^[co]/.test(record.code)) return;
    await pause([1_000, 4_000, 15_000][tries] ?? 60_000, signal);
    if (signal.aborted || isWidgetThere()) return;
    record = await (fetched = fetchRecord());
  }
  box.remove();
  if (isWidgetThere()) return;
  root.append(box);
  if (record.variant !== "bubble") element.setAttribute("variant", record.variant);
  adopt(root, record.styles);
  box.dataset.place = remembered("visavis-place:" + contextId) ?? setting("placement") ?? record.placement;
  // A frame in the page cannot be put away.
  const hidden = record.variant === "inline" ? "" : "visavis-hidden:" + contextId;
  listen(box, drawLauncher(box, record), hidden, record.offline, load);
  // Above everything that the page has, unless the page has given it a place.
  if (
    record.variant === "bubble" &&
    !getComputedStyle(element).getPropertyValue("--visavis-z") &&
    // oxlint-disable-next-line typescript/no-unnecessary-condition -- older browsers have none
    element.showPopover
  ) {
    element.popover = "manual";
    element.showPopover();
  }
  // The widget uses the same mark.
  watchPage(
    element,
    () => {
      const wanted = setting("theme") ?? record.theme;
      element.toggleAttribute("data-dark", wanted === "auto" ? isPageDark(box) : wanted === "dark");
    },
    signal,
  );
  // Pages hide elements until they are defined: then nobody could reach for the launcher that defines this one.
  if (!box.offsetWidth) void load();
  if ((setting("prefetch") ?? record.prefetch) === "idle" && !navigator.connection?.saveData) whenIdle(load);
}
