import type { AvatarConnection } from "./avatar-connection.ts";
import type { AttachmentKind } from "../protocol/attachment.ts";
import type { Variables } from "../protocol/variables.ts";
import type { Rating } from "../protocol/rating.ts";
import type { PublicContext } from "../protocol/relay-api.ts";
import type { RichContent } from "../protocol/rich-content.ts";
import type { VisavisErrorCode, VisavisLimit } from "../protocol/visavis-error-code.ts";
import type { LinkQuality } from "./link-quality.ts";

/** The state of a session as the page sees it (product contract, The element's contract). */
export type SessionState = "idle" | "connecting" | "live" | "reconnecting" | "ended" | "error";

/** What the avatar is doing. */
export type Activity = "idle" | "listening" | "thinking" | "speaking";

/**
 * The status of an entry. `streaming`: an answer that is being written. `final`: complete. `interrupted`: stopped by the
 * visitor; only the spoken part is kept. `cut`: an answer that broke off. `waiting`: a question that is sent when the
 * connection is back. `failed`: a question without an answer. `discarded`: removed from the transcript; only events have it.
 */
export type TranscriptStatus =
  "streaming" | "final" | "interrupted" | "cut" | "waiting" | "failed" | "discarded";

/** A file that was sent with a question. */
export interface TranscriptAttachment {
  readonly id: string;
  readonly name: string;
  /** The media type. */
  readonly type: string;
  readonly bytes: number;
  /** The session that has the file, and its id there. */
  readonly at?: { readonly session: string; readonly id: string };
}

/** One entry of the conversation. `at` in ms since 1970. */
export interface TranscriptEntry {
  readonly id: string;
  readonly role: "visitor" | "avatar";
  readonly text: string;
  readonly status: TranscriptStatus;
  /** Why a question failed or an answer was cut off. */
  readonly fault?: VisavisErrorCode;
  /** All of it or a part could not be spoken, so it can only be read. */
  readonly unspoken?: boolean;
  /** What was written of an interrupted answer and not spoken. */
  readonly rest?: string;
  /** What is shown besides the text: buttons, cards, a form. `text` has it in words. */
  readonly content?: RichContent;
  /** False: the answer says that nothing was found. */
  readonly found?: boolean;
  /** What the visitor has attached to a question. */
  readonly attachments?: readonly TranscriptAttachment[];
  readonly at: number;
}

/** Where the voice is in the transcript: offsets in an entry's text. `from` equals `to` before it begins or goes on. */
export interface VoicePlace {
  readonly entryId: string;
  readonly from: number;
  readonly to: number;
}

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
  "denied" | "policy" | "frame" | "insecure" | "missing" | "busy" | "lost" | "silent" | "unclear" | "failed";

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

/** What a session gives: `avatar` video and sound, `voice` sound only, `text` neither. */
export type SessionMode = "avatar" | "voice" | "text";

/** Options of a session. */
export interface AvatarSessionOptions {
  /** Base URL of the relay without a slash at its end. Empty: the page's own origin. */
  relay: string;
  /** The public embed key, `ctx_…`. */
  contextId: string;
  /** BCP 47 tag of the visitor's language. */
  locale?: string;
  /** Default: `avatar`. A browser without WebRTC gets `text` where it cannot draw the avatar itself. */
  mode?: SessionMode;
  /**
   * Writes events, requests and the connection's figures to the console. Default: whether the page's address has the
   * parameter `visavis-debug`.
   */
  debug?: boolean;
  /**
   * Whether the conversation goes on after a page load in the same tab: `tab`, or `off`. Default: as the context says.
   */
  persist?: "off" | "tab";
  /** What to keep for the tab's next page besides the conversation, such as whether a panel is open. */
  view?: () => Record<string, boolean>;
  /** Whether the page draws the avatar from the session's next start on: then no video is sent. Default: it does not. */
  isDrawn?: () => boolean;
}

/** A function of the page that the language model may call. `parameters` is a JSON schema. */
export interface ClientTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  /** What visitors read while it runs, such as "Looking up your order". Without it they read a general text. */
  title?: string;
  /** How long it may run, in ms. Default: 20 s. Then the model is told that it failed. */
  timeoutMs?: number;
  /**
   * Gets the parsed arguments, and a signal that is aborted when the time is up or the visitor interrupts. What it returns
   * (or its promise resolves to) is sent to the model as JSON. What it throws is told to the model as a failure. An object with
   * the field `visavis` also shows its content (see `show()`) after the answer.
   */
  run(args: unknown, options: { readonly signal: AbortSignal }): unknown;
}

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

/**
 * Why a file is not attached. `size`: it is too large; `type`: it is none of the allowed types; `count`: the question has as many
 * files as it may have; `space`: the session has no room for more; `refused`: the service does not accept it; `network`: the
 * upload failed.
 */
export type AttachmentFault = "size" | "type" | "count" | "space" | "refused" | "network";

/** A file that the next question will have. */
export interface ChosenFile {
  readonly id: string;
  readonly file: File;
  /** The media type, as found in the file's content. */
  readonly type: string;
  /** `kept`: it is uploaded with the question, because there is no session yet. */
  readonly status: "kept" | "uploading" | "uploaded" | "failed";
  /** How much of it is uploaded, 0 to 1. */
  readonly progress: number;
  /** Why the upload failed. */
  readonly fault: AttachmentFault | null;
}

/** The files for the next question, for a user interface. Uploads begin at once. */
export interface VisitorAttachments {
  readonly chosen: readonly ChosenFile[];
  /** Those that go with the question: all but what the service does not accept. */
  readonly sendable: readonly ChosenFile[];
  /** The files that were not taken by the last `add()`. */
  readonly refused: readonly { readonly name: string; readonly fault: AttachmentFault }[];
  /** Takes files if their content is of an allowed kind. Never rejects: `refused` has what was not taken. */
  add(files: readonly File[], kinds: readonly AttachmentKind[]): Promise<void>;
  /** Removes a file that was not sent yet, from the server too. */
  remove(id: string): void;
  /** Uploads a file again. */
  retry(id: string): void;
  /** A file that was chosen on this page, also after it was sent. */
  fileOf(id: string): File | null;
  /** Calls a listener after each change. Returns the function that removes it. */
  onChange(listener: () => void): () => void;
}

/** A session without user interface. Made by `createAvatarSession`. */
export interface AvatarSession {
  /** The mode that was asked for; `text` where the avatar can be neither received nor drawn and heard in this browser. */
  readonly mode: SessionMode;
  readonly state: SessionState;
  readonly activity: Activity;
  readonly sessionId: string | null;
  readonly transcript: readonly TranscriptEntry[];
  readonly context: PublicContext | null;
  /** The element that plays video and sound; owned by the session, made at start, null without media. */
  readonly mediaElement: HTMLVideoElement | null;
  /** The media connection of the present session, for parts that draw the avatar themselves. */
  readonly connection?: AvatarConnection | null;
  /** 0 to 1. */
  volume: number;
  /** Whether the visitor's microphone is muted. */
  readonly muted: boolean;
  readonly microphone: MicrophoneState;
  /** The public view of the context. Fetched once; concurrent calls share the request. Rejects with VisavisError. */
  loadContext(): Promise<PublicContext>;
  /** Makes the offer before the click, so that start() takes only one round trip. Sends nothing. */
  prepare(): void;
  /**
   * Resolves when live. Concurrent calls share one promise. After `ended` and `error` it starts a new session. Rejects with
   * VisavisError, which the `error` event reports too unless end() or dispose() interrupted the start.
   */
  start(): Promise<void>;
  /**
   * Takes up the conversation that the tab's last page has kept: the same session where it still lives, otherwise its
   * transcript, with a new session for the next message. Resolves with what `view` had returned, as soon as the transcript is
   * there; null if nothing was kept.
   */
  resume(): Promise<Record<string, boolean> | null>;
  /** Ends the session. Resolves when the service has confirmed it or cannot be reached. */
  end(): Promise<void>;
  /**
   * Sends a message of the visitor. Interrupts the avatar, then the language model answers. Starts a session if there is
   * none. Without a connection the message is kept and sent when it is back, within 60 s. Resolves when the answer is
   * complete, was interrupted or failed (see the `error` event), or the message has to wait. Rejects with VisavisError only
   * when the session cannot start.
   */
  send(text: string): Promise<void>;
  /** Asks again: a question that failed or waits, or the question whose answer was cut off. `id` of either entry. */
  retry(id: string): Promise<void>;
  /** Removes a question that failed or waits from the transcript. */
  discard(id: string): void;
  /** Makes the avatar say exactly this: after the greeting while connecting, not at all without a session. */
  say(text: string): void;
  /**
   * Shows suggestions, buttons, cards or a form in the transcript. Rejects with VisavisError `invalid_content`, whose message says
   * which field is wrong.
   */
  show(content: RichContent): Promise<void>;
  /** Writes what the visitor did into the transcript. The language model reads it, and does not answer. */
  note(text: string): Promise<void>;
  /** Stops speech and answer at once. The entry keeps what was spoken. */
  interrupt(): void;
  /** Lets the avatar say its present sentence to the end. The rest of the answer is only written. */
  finishSentence(): void;
  /** Lets the avatar say the rest of an answer that was interrupted. */
  resumeAnswer(id: string): Promise<void>;
  /**
   * Reports the visitor's verdict on an answer or on the conversation, during a session or after its end. Rejects with
   * VisavisError when there was no session or the service cannot be reached.
   */
  rate(rating: Rating): Promise<void>;
  /** The files for the next question, where the context allows some. They are loaded at the first call. */
  attachments(): Promise<VisitorAttachments>;
  /** Empties the transcript. The language model no longer knows what was said. */
  clear(): void;
  /**
   * Turns the visitor's microphone on, asking for permission where needed: for one turn until `stopListening()`, or hands-free.
   * Starts a session if there is none. Rejects with VisavisError `microphone_denied`, `microphone_unavailable`, or what start()
   * rejects with.
   */
  listen(): Promise<void>;
  /** Ends the visitor's turn, or turns a hands-free microphone off, which releases the device. */
  stopListening(): void;
  /** What a user interface needs of the visitor's voice. It is loaded at the first call. */
  voice(): Promise<VisitorVoice>;
  /** Nothing of the microphone is sent any more, without releasing the device. */
  mute(): void;
  unmute(): void;
  /** Adds hidden facts for the language model. A later value of a name replaces the earlier one. */
  setVariables(record: Variables): void;
  /** Lets the language model call a function of the page. A later tool of the same name replaces the earlier one. */
  registerTool(tool: ClientTool): void;
  /** Makes the avatar move less. */
  setReducedMotion(reduced: boolean): void;
  /**
   * How fast the avatar speaks from its next text on: 0.5 to 2 times the owner's rate. The service ignores other values, and
   * logs them.
   */
  setVoiceRate(rate: number): void;
  /** Sets the wanted size of the picture, in CSS pixels times the device pixel ratio. */
  setVideoSize(width: number, height: number): void;
  /** The visitor is present: the idle time begins again, as it does with each question. */
  stay(): void;
  /**
   * Whether the avatar can be seen, as far as the page knows; the page's own visibility is watched here. Out of sight the video
   * is paused, and the avatar finishes its sentence.
   */
  setInView(inView: boolean): void;
  /** Turns sound on after `soundblocked`. Call it in a user gesture. */
  resumeSound(): Promise<void>;
  /** Adds a listener. Returns the function that removes it. */
  on<K extends keyof SessionEvents>(type: K, listener: (detail: SessionEvents[K]) => void): () => void;
  /** Releases everything. A live session is ended by a request that outlives the page. */
  dispose(): void;
}
