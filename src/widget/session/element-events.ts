import type { AvatarSession, Rating, SessionEvents } from "../../client/index.ts";

/** The events of a session that pages get from the element. */
const forwarded = [
  "statechange",
  "activitychange",
  "message",
  "caption",
  "interrupted",
  "speechstart",
  "speechend",
  "transcript",
  "toolcall",
  "error",
] as const satisfies readonly (keyof SessionEvents)[];

/** How the visitor goes to a person: the page takes over, by phone, by the owner's address, or by a message. */
export type HandoverVia = "page" | "phone" | "url" | "message";

/** The payload of each event of the element, by its name without the prefix. */
interface Details extends Pick<SessionEvents, (typeof forwarded)[number]> {
  open: null;
  close: null;
  rating: Rating;
  /** What a button or a form of the page's own tells it. */
  action: { action: string; label: string; values?: Readonly<Record<string, string>> };
  /** Cancelable: a page that takes over prevents the default, which follows the owner's address or number. */
  handover: {
    reason: "asked" | "not_found" | "offered" | "menu";
    via: HandoverVia;
    sessionId: string | null;
  };
  /** A person is waited for, has joined or has left. */
  person: { state: "waiting" | "joined" | "left"; name: string };
  /** Cancelable: a page that follows the link itself prevents the default. */
  link: { href: string };
}

/** The element's events by their full name. All bubble, and leave the shadow root. */
export type VisavisEventMap = { [Name in keyof Details as `visavis-${Name}`]: CustomEvent<Details[Name]> };

/** Dispatches an event of the element. */
export function announce<Name extends keyof Details>(
  element: HTMLElement,
  type: Name,
  detail: Details[Name],
): void {
  element.dispatchEvent(new CustomEvent(`visavis-${type}`, { detail, bubbles: true, composed: true }));
}

/** Dispatches an event that the page may cancel. Returns whether it has not. */
export function announceCancelable<Name extends "link" | "handover">(
  element: HTMLElement,
  type: Name,
  detail: Details[Name],
): boolean {
  const options = { detail, bubbles: true, composed: true, cancelable: true };
  return element.dispatchEvent(new CustomEvent(`visavis-${type}`, options));
}

/** Dispatches the session's events as the element's. Returns a function that stops it. */
export function forwardEvents(session: AvatarSession, element: HTMLElement): () => void {
  const stops = forwarded.map((type) =>
    session.on(type, (detail) => {
      announce(element, type, detail);
    }),
  );
  return () => {
    for (const stop of stops) stop();
  };
}
