import type { AvatarSession, AvatarSessionOptions } from "./avatar-session.ts";
import { BrowserSession } from "./browser-session.ts";

export type {
  Activity,
  AvatarSession,
  AvatarSessionOptions,
  AudioDevice,
  AudioDevices,
  AttachmentFault,
  ChosenFile,
  ClientTool,
  MicrophoneFault,
  MicrophoneState,
  RecognizerKind,
  SessionEvents,
  SessionMode,
  SessionNotice,
  SessionState,
  TranscriptAttachment,
  TranscriptEntry,
  VisitorAttachments,
  VisitorVoice,
  VoicePlace,
  VoiceStatus,
} from "./avatar-session.ts";
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
