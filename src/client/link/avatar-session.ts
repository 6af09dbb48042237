import type { Variables } from "../../protocol/session/variables.ts";
import type { VisitorMessage } from "../../protocol/session/visitor-message.ts";
import type { Rating } from "../../protocol/answers/rating.ts";
import type { PublicContext } from "../../protocol/session/relay-api.ts";
import type { RichContent } from "../../protocol/answers/rich-content.ts";
import type { AvatarConnection } from "./avatar-connection.ts";
import type { ClientTool } from "../conversation/client-tool.ts";
import type {
  Activity,
  MicrophoneState,
  SessionEvents,
  SessionState,
  VisitorVoice,
} from "../session-events.ts";
import type { TranscriptEntry, VisitorAttachments } from "../conversation/transcript-entry.ts";

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
  /**
   * Leaves a message for a person, during a session or shortly after its end. Sent again with the same id it counts once. Rejects with
   * VisavisError when there was no session, the owner takes no messages or the service cannot be reached.
   */
  leaveMessage(message: VisitorMessage): Promise<void>;
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
