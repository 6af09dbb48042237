import type { AvatarSession, AvatarSessionOptions } from "./avatar-session.ts";
import { BrowserSession } from "./browser-session.ts";

export type { AvatarSession, AvatarSessionOptions, SessionMode } from "./avatar-session.ts";
export type { ClientTool } from "./client-tool.ts";
export type { Activity, SessionEvents, SessionNotice, SessionState } from "./session-events.ts";
export type { TranscriptAttachment, TranscriptEntry, VoicePlace } from "./transcript-entry.ts";
export type { AttachmentFault, ChosenFile, VisitorAttachments } from "./visitor-attachments.ts";
export type {
  AudioDevice,
  AudioDevices,
  MicrophoneFault,
  MicrophoneState,
  RecognizerKind,
  VisitorVoice,
  VoiceStatus,
} from "./visitor-voice.ts";
export type { Variables } from "../protocol/variables.ts";
export type { Rating } from "../protocol/rating.ts";
export type { PublicContext } from "../protocol/relay-api.ts";
export type { VisavisErrorCode, VisavisLimit } from "../protocol/visavis-error-code.ts";
export { publicVoiceOf } from "../protocol/voice-settings.ts";
export { hasSaved } from "./saved-key.ts";
export { VisavisError } from "./visavis-error.ts";

/** Makes a session with an avatar. Nothing is sent or opened before `loadContext()` or `start()`. */
export function createAvatarSession(options: AvatarSessionOptions): AvatarSession {
  const session = new BrowserSession(options);
  if (options.debug ?? /[?&]visavis-debug\b/.test(location.search))
    void import("./debug.ts").then(({ logSession }) => logSession(session, options.relay));
  return session;
}
