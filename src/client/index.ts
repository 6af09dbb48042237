import type { AvatarSession, AvatarSessionOptions } from "./link/avatar-session.ts";
import { BrowserSession } from "./browser-session.ts";

export type { AvatarSession, AvatarSessionOptions, SessionMode } from "./link/avatar-session.ts";
export type { ClientTool } from "./conversation/client-tool.ts";
export type { Activity, SessionEvents, SessionNotice, SessionState } from "./session-events.ts";
export type { TranscriptAttachment, TranscriptEntry, VoicePlace } from "./conversation/transcript-entry.ts";
export type { AttachmentFault, ChosenFile, VisitorAttachments } from "./conversation/transcript-entry.ts";
export type {
  AudioDevice,
  AudioDevices,
  MicrophoneFault,
  MicrophoneState,
  RecognizerKind,
  VisitorVoice,
  VoiceStatus,
} from "./session-events.ts";
export type { Variables } from "../protocol/session/variables.ts";
export type { Rating } from "../protocol/answers/rating.ts";
export type { PublicContext } from "../protocol/session/relay-api.ts";
export type { VisavisErrorCode, VisavisLimit } from "../protocol/visavis-error-code.ts";
export { publicVoiceOf } from "../protocol/settings/voice-settings.ts";
export { hasSaved } from "./conversation/saved-key.ts";
export { VisavisError } from "./visavis-error.ts";

/** Makes a session with an avatar. Nothing is sent or opened before `loadContext()` or `start()`. */
export function createAvatarSession(options: AvatarSessionOptions): AvatarSession {
  const session = new BrowserSession(options);
  if (options.debug ?? /[?&]visavis-debug\b/.test(location.search))
    void import("./debug.ts").then(({ logSession }) => logSession(session, options.relay));
  return session;
}
