import type { AvatarSession, SessionEvents } from "../../client/index.ts";

/** The names of methods and properties that the loader puts on the element until the widget is there. */
const contractNames = [
  "open",
  "close",
  "start",
  "end",
  "send",
  "say",
  "interrupt",
  "mute",
  "unmute",
  "setVariables",
  "registerTool",
  "state",
  "activity",
  "sessionId",
  "transcript",
  "volume",
] as const;

/** Takes the loader's stand-ins off an element, so that the class answers. */
export function removeStandIns(element: HTMLElement): void {
  for (const name of contractNames) Reflect.deleteProperty(element, name);
}

const forwarded = [
  "statechange",
  "activitychange",
  "message",
  "caption",
  "interrupted",
  "toolcall",
  "error",
] as const satisfies readonly (keyof SessionEvents)[];

/** What the element's events carry, by name without the prefix. */
interface Details extends Pick<SessionEvents, (typeof forwarded)[number]> {
  open: null;
  close: null;
}

/** The element's events by their full name. All bubble, and leave the shadow root. */
export type VisavisEventMap = { [Name in keyof Details as `visavis-${Name}`]: CustomEvent<Details[Name]> };

/** Sends an event of the contract. */
export function announce<Name extends keyof Details>(
  element: HTMLElement,
  type: Name,
  detail: Details[Name],
): void {
  element.dispatchEvent(new CustomEvent(`visavis-${type}`, { detail, bubbles: true, composed: true }));
}

/** Sends the session's events on as the element's. Answers the function that stops it. */
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
