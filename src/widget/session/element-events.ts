import type { AvatarSession, SessionEvents } from "../../client/index.ts";

/** The events of a session that pages get from the element. */
const forwarded = [
  "statechange",
  "activitychange",
  "message",
  "caption",
  "interrupted",
  "toolcall",
  "error",
] as const satisfies readonly (keyof SessionEvents)[];

/** The payload of each event of the element, by its name without the prefix. */
interface Details extends Pick<SessionEvents, (typeof forwarded)[number]> {
  open: null;
  close: null;
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
