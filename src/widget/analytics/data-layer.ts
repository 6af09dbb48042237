import type { TranscriptEntry } from "../../client/index.ts";

/** An event in the page's data layer: its name, and facts that hold no text of anyone. */
type DataLayerEvent = { readonly event: `visavis_${string}` } & Readonly<
  Record<string, string | number | boolean>
>;

/** The host of a link; a mail or phone link has none. */
function hostOf(href: string): string {
  try {
    return new URL(href).host;
  } catch {
    return "";
  }
}

/** The page's array of that name, which tag managers read; made where there is none. Null where something else has the name. */
function layerOf(name: string): unknown[] | null {
  if (Reflect.get(window, name) === undefined) Reflect.set(window, name, []);
  const layer: unknown = Reflect.get(window, name);
  return Array.isArray(layer) ? layer : null;
}

/** What is told of an entry of the transcript; null if nothing. */
function ofMessage({ role, status, found }: TranscriptEntry): DataLayerEvent | null {
  if (role === "visitor") return status === "final" ? { event: "visavis_question" } : null;
  if (role === "person" || (status !== "final" && status !== "cut")) return null;
  return { event: "visavis_answer", complete: status === "final", found: found !== false };
}

/**
 * Tells the page's data layer what happens in an element, from now on, and that it is open or live already. Nothing is told that
 * a visitor or the avatar has said. Each question and each answer is told once, also one that came before: a quick visitor asks while this
 * module is still being loaded. `now` is the element's present state.
 */
export function tellDataLayer(
  element: HTMLElement,
  name: string,
  now: { open: boolean; live: boolean; transcript: readonly TranscriptEntry[] },
): void {
  const push = (event: DataLayerEvent): void => void layerOf(name)?.push(event);
  const told = new Set<string>();
  if (now.open) push({ event: "visavis_open" });
  if (now.live) push({ event: "visavis_start" });
  element.addEventListener("visavis-open", () => push({ event: "visavis_open" }));
  element.addEventListener("visavis-close", () => push({ event: "visavis_close" }));
  element.addEventListener("visavis-statechange", ({ detail: { state, previous, reason = "" } }) => {
    if (state === "live" && previous !== "reconnecting") push({ event: "visavis_start" });
    if (state === "ended") push({ event: "visavis_end", reason });
  });
  const tellMessage = (message: TranscriptEntry): void => {
    const key = `${message.id} ${message.at}`;
    const event = told.has(key) ? null : ofMessage(message);
    if (!event) return;
    told.add(key);
    push(event);
  };
  // What an earlier page of the conversation has told is older than this page.
  const first = now.transcript.findIndex(
    ({ role, at }) => role === "visitor" && at >= performance.timeOrigin,
  );
  if (first >= 0) now.transcript.slice(first).forEach(tellMessage);
  element.addEventListener("visavis-message", ({ detail: { message } }) => tellMessage(message));
  element.addEventListener("visavis-rating", ({ detail: { of, value } }) =>
    push({ event: "visavis_rating", of, value }),
  );
  element.addEventListener("visavis-link", ({ detail: { href } }) =>
    push({ event: "visavis_link", host: hostOf(href) }),
  );
  element.addEventListener("visavis-action", ({ detail: { action } }) =>
    push({ event: "visavis_action", action }),
  );
  element.addEventListener("visavis-handover", ({ detail: { reason, via } }) =>
    push({ event: "visavis_handover", reason, via }),
  );
  element.addEventListener("visavis-error", ({ detail: { code } }) => push({ event: "visavis_error", code }));
}
