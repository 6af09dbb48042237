import type { AvatarSession, SessionEvents } from "../client/index.ts";

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

/** Sends an event of the contract: `visavis-…`, bubbling, and out of the shadow root. */
export function announce(element: HTMLElement, type: string, detail: unknown = null): void {
  element.dispatchEvent(new CustomEvent(`visavis-${type}`, { detail, bubbles: true, composed: true }));
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
