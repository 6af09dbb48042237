import type { VisavisErrorCode, VisavisLimit } from "../protocol/visavis-error-code.ts";
import type { PersonStatus } from "./person/person-status.ts";
import type { LinkQuality } from "./care/link-quality.ts";
import type { TranscriptEntry, VoicePlace } from "./conversation/transcript-entry.ts";

/**
 * The visitor's microphone. `off`: the device is released. `asking`: the browser asks the visitor for permission. `on`: open.
 * `muted`: open, and nothing is sent.
 */
export type MicrophoneState = "off" | "asking" | "on" | "muted";

/**
 * Why the visitor cannot be heard. `denied`: the visitor or the browser's settings; `policy`: the page's own policy; `frame`: the
 * page around this frame; `insecure`: the page is not served over https; `missing`: no device; `busy`: another program has it;
 * `lost`: it was unplugged and there is no other; `silent`: nothing has been heard for a while; `unclear`: nothing was understood;
 * `failed`: the recognizer does not work.
 */
export type MicrophoneFault =
  | "denied"
  | "policy"
  | "frame"
  | "insecure"
  | "missing"
  | "busy"
  | "lost"
  | "silent"
  | "unclear"
  | "failed";

/**
 * Who recognizes the visitor's speech. `service`: an engine of the avatar service; `device`: the browser, with a model on the device;
 * `cloud`: a server of the browser's maker, which gets the sound of the visitor's voice.
 */
export type RecognizerKind = "service" | "device" | "cloud";

/** What is known of the visitor's voice. */
export interface VoiceStatus {
  readonly state: MicrophoneState;
  readonly fault: MicrophoneFault | null;
  /** `button`: push-to-talk; `voice`: hands-free, a voice is heard; `recognizing`: the speech becomes text. */
  readonly turn: "none" | "button" | "voice" | "recognizing";
  /** What has been understood of the present turn so far. */
  readonly words: string;
  /** The microphone stays open, and turns are found by the voice. */
  readonly handsFree: boolean;
  /** The last question that was spoken, while it can be corrected. */
  readonly questionId: string | null;
}

/** A device for sound, by the name that the system gives it. */
export interface AudioDevice {
  readonly id: string;
  readonly label: string;
}

/** The devices that a visitor may choose from. Empty where the browser names none. */
export interface AudioDevices {
  readonly microphones: readonly AudioDevice[];
  readonly speakers: readonly AudioDevice[];
}

/** The visitor's voice, for a user interface. */
export interface VisitorVoice {
  readonly status: VoiceStatus;
  /** How loud the visitor is now, 0 to 1. */
  readonly level: number;
  /** Who recognizes the visitor's speech; null where nobody does. */
  recognizer(): Promise<RecognizerKind | null>;
  /** Push-to-talk: the visitor's turn begins. Never rejects: `status` has what went wrong. */
  beginTurn(): Promise<void>;
  /** The turn is over: it is sent, or forgotten. */
  endTurn(how: "send" | "cancel"): void;
  /** The devices there are now. */
  devices(): Promise<AudioDevices>;
  /** Uses these devices from now on, "" for the system's own. Works while they are in use. */
  choose(devices: { microphone: string; speaker: string }): Promise<void>;
  /** Turns hands-free on or off. Never rejects: `status` has what went wrong. */
  setHandsFree(on: boolean): Promise<void>;
}

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
  /** What is known of people who may join the conversation. */
  person: PersonStatus;
  /** What the visitor is told of the session's coming end; null when that no longer applies. */
  endnotice: { notice: SessionNotice | null };
  /** How sound and picture arrive while the session is live: at first `good`. */
  quality: { quality: LinkQuality };
  error: { code: VisavisErrorCode; message: string; limit?: VisavisLimit | undefined };
}

/** What the page knows of its visitor. */
export interface Attention {
  /** Whether the avatar can be seen. */
  inView: boolean;
  /** Called when that has changed, and with true for each sign that the visitor is there. */
  handle?: ((isSign?: boolean) => void) | undefined;
}
