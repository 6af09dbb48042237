import type { Variables } from "../protocol/llm-stream.ts";
import type { PublicContext } from "../protocol/relay-api.ts";
import type { VisavisErrorCode } from "../protocol/visavis-error-code.ts";

/** Where a session stands, as the page sees it (product contract, The element's contract). */
export type SessionState = "idle" | "connecting" | "live" | "reconnecting" | "ended" | "error";

/** What the avatar is doing. */
export type Activity = "idle" | "listening" | "thinking" | "speaking";

/** One line of the conversation. `at` in ms since 1970; of an interrupted answer only what was spoken is kept. */
export interface TranscriptEntry {
  readonly id: string;
  readonly role: "visitor" | "avatar";
  readonly text: string;
  readonly status: "streaming" | "final" | "interrupted";
  readonly at: number;
}

/** What a session is made from. */
export interface AvatarSessionOptions {
  /** Base URL of the relay, without a slash at its end; empty: the page's own origin. */
  relay: string;
  /** The public embed key, `ctx_…`. */
  contextId: string;
  /** BCP 47 tag of the visitor's language. */
  locale?: string;
  /** `avatar` (default) streams video and sound, `voice` sound only, `text` neither. */
  mode?: "avatar" | "voice" | "text";
}

/** A function of the page that the language model may call. `parameters` is a JSON schema. */
export interface ClientTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  /** Gets the parsed arguments; what it returns (or its promise resolves to) is told to the model, as JSON. */
  run(args: unknown): unknown;
}

/** What a session tells its page. */
export interface SessionEvents {
  statechange: { state: SessionState; previous: SessionState; reason?: string };
  activitychange: { activity: Activity };
  /** Steps of connecting: the offer is answered, the connection stands, picture and sound are there. */
  progress: { step: "room" | "avatar" | "sound" };
  /** The tracks are attached to the element. */
  media: { element: HTMLVideoElement };
  /** A new or changed entry of the transcript. */
  message: { message: TranscriptEntry };
  /** `text` is the utterance being spoken, `index` the word's place among its words parted by white space. */
  caption: { text: string; word: string; index: number };
  captionend: { text: string };
  interrupted: { message: TranscriptEntry };
  toolcall: { name: string; arguments: unknown };
  /** The browser plays only without sound until a gesture calls `resumeSound()`. */
  soundblocked: { blocked: boolean };
  reconnectattempt: { attempt: number; of: number };
  error: { code: VisavisErrorCode; message: string };
}

/** A session without user interface. Made by `createAvatarSession`. */
export interface AvatarSession {
  readonly state: SessionState;
  readonly activity: Activity;
  readonly sessionId: string | null;
  readonly transcript: readonly TranscriptEntry[];
  readonly context: PublicContext | null;
  /** The element that plays video and sound; owned by the session, made at start, null without media. */
  readonly mediaElement: HTMLVideoElement | null;
  /** 0 to 1. */
  volume: number;
  /** Whether the visitor's microphone is muted. */
  readonly muted: boolean;
  /** The public view of the context; fetched once, concurrent calls share the request. Rejects with VisavisError. */
  loadContext(): Promise<PublicContext>;
  /** Makes the offer ahead of the click, so that start() costs one round trip and nothing else. Sends nothing. */
  prepare(): void;
  /**
   * Resolves when live. Concurrent calls share one promise; starts anew after `ended` and `error`. Rejects with
   * VisavisError, which is also told by the `error` event unless end() or dispose() cut the start short.
   */
  start(): Promise<void>;
  /** Ends the session; resolves when the service has been told, or could not be. */
  end(): Promise<void>;
  /**
   * The visitor says something: interrupts, then answers by the language model. Starts the session when there is
   * none. Resolves when the answer is complete, was interrupted, or failed (told by the `error` event); rejects with
   * VisavisError only where the session cannot start.
   */
  send(text: string): Promise<void>;
  /** The avatar says exactly this. Without a session, does nothing; while connecting, it is said after the greeting. */
  say(text: string): void;
  /** Stops speech and answer at once; the entry keeps what was spoken. */
  interrupt(): void;
  mute(): void;
  unmute(): void;
  /** Adds to the hidden facts that the language model is told; a later value of a name replaces the earlier. */
  setVariables(record: Variables): void;
  /** Lets the language model call a function of the page; a later tool of the same name replaces the earlier. */
  registerTool(tool: ClientTool): void;
  /** Makes the avatar move less. */
  setReducedMotion(reduced: boolean): void;
  /** Size of the picture wanted, in CSS pixels times the device pixel ratio. */
  setVideoSize(width: number, height: number): void;
  /** Turns sound on after `soundblocked`; call it in a gesture. */
  resumeSound(): Promise<void>;
  /** Adds a listener; the function returned removes it. */
  on<K extends keyof SessionEvents>(type: K, listener: (detail: SessionEvents[K]) => void): () => void;
  /** The element is gone: a live session ends by a request that outlives the page; nothing is left behind. */
  dispose(): void;
}
