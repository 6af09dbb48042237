import type { SessionMode } from "./avatar-session.ts";
import { loadMedia } from "./media-later.ts";
import type * as here from "./session-run.ts";
import { VisavisError } from "./visavis-error.ts";

/** Takes the place of `session-run.ts` in the widget for conversations in writing: a session is not needed until it starts. */
export let SessionRun: typeof here.SessionRun;

/**
 * Loads what a session in this mode needs. Rejects where that cannot be loaded, and then the next call tries again, or with
 * VisavisError when the element `isGone` meanwhile.
 */
export async function loadRun(mode: SessionMode, isGone: () => boolean): Promise<void> {
  const media = mode === "text" ? null : loadMedia();
  const run = import("./session-run.ts");
  await media;
  ({ SessionRun } = await run);
  if (isGone()) throw new VisavisError("connection_failed", "The element was removed.");
}
