import type { AvatarSession, AvatarSessionOptions } from "./avatar-session.ts";
import { BrowserSession } from "./browser-session.ts";

export type {
  Activity,
  AvatarSession,
  AvatarSessionOptions,
  ClientTool,
  SessionEvents,
  SessionState,
  TranscriptEntry,
} from "./avatar-session.ts";
export type { Variables } from "../protocol/llm-stream.ts";
export type { PublicContext } from "../protocol/relay-api.ts";
export type { VisavisErrorCode } from "../protocol/visavis-error-code.ts";
export { VisavisError } from "./visavis-error.ts";

/** Makes a session with an avatar. Nothing is sent or opened before `loadContext()` or `start()`. */
export function createAvatarSession(options: AvatarSessionOptions): AvatarSession {
  return new BrowserSession(options);
}
