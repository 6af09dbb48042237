import type { VisavisErrorCode, VisavisLimit } from "../protocol/visavis-error-code.ts";
import type { LinkQuality } from "./link-quality.ts";
import type { TranscriptEntry, VoicePlace } from "./transcript-entry.ts";
import type { VoiceStatus } from "./visitor-voice.ts";

/** The state of a session as the page sees it (product contract, The element's contract). */
export type SessionState = "idle" | "connecting" | "live" | "reconnecting" | "ended" | "error";

/** What the avatar is doing. */
export type Activity = "idle" | "listening" | "thinking" | "speaking";

/**
 * A session's end is near. `idle`: the visitor has done nothing for long; `stay()` keeps the session. `time`: the time of the
 * session or of the day is nearly used up. `leftSec`: seconds until the end.
 */
export interface SessionNotice {
  readonly kind: "idle" | "time";
  readonly leftSec: number;
}

/** The events of a session. */
export interface SessionEvents {
  statechange: { state: SessionState; previous: SessionState; reason?: string };
  activitychange: { activity: Activity };
  /** Steps of connecting: the offer is answered (`room`), the connection is up (`avatar`), media plays (`sound`). */
  progress: { step: "room" | "avatar" | "sound" };
  /** The tracks are attached to the element. */
  media: { element: HTMLVideoElement };
  /** A new or changed entry of the transcript. */
  message: { message: TranscriptEntry };
  /** `text` is the utterance being spoken, `index` the word's index among its words, which white space separates. */
  caption: { text: string; word: string; index: number };
  captionend: { text: string };
  /** The voice is at another sentence; null when nothing is left to say. */
  voice: { place: VoicePlace | null };
  interrupted: { message: TranscriptEntry };
  /** The transcript was emptied. */
  clear: undefined;
  /** The visitor has begun to speak. */
  speechstart: null;
  /** The visitor has finished speaking. */
  speechend: null;
  /** What was understood of the visitor's voice: while they speak (`final` false) where the recognizer can, and at the end. */
  transcript: { text: string; final: boolean };
  /** What is known of the visitor's voice has changed. */
  voicechange: VoiceStatus;
  toolcall: { name: string; arguments: unknown };
  /** A tool of the page has ended. `error` is what the model was told of a failure. */
  toolend: { name: string; error: string | null };
  /** The browser plays only without sound until a gesture calls `resumeSound()`. */
  soundblocked: { blocked: boolean };
  reconnectattempt: { attempt: number; of: number };
  /** What the visitor is told of the session's coming end; null when that no longer applies. */
  endnotice: { notice: SessionNotice | null };
  /** How sound and picture arrive while the session is live: at first `good`. */
  quality: { quality: LinkQuality };
  error: { code: VisavisErrorCode; message: string; limit?: VisavisLimit | undefined };
}
