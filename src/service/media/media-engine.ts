import type { SpeechFaultCode } from "../../protocol/session/data-channel.ts";
import type { DrawnTemplate } from "../../protocol/characters/drawn-template.ts";
import type { VideoMatte } from "../../protocol/session/exchange.ts";
import type { TimedViseme, TimedWord } from "../../protocol/speech/speech.ts";
import type { Paddings } from "../../protocol/settings/stage-settings.ts";

/** The parts of a finished picture other than the avatar. */
export interface Scene {
  paddings: Paddings;
  /** Name of the background image, for the hook that reads it; null if there is none. */
  background: string | null;
}

/** A request for a session's peer connection. */
export interface PeerRequest {
  sessionId: string;
  /** The client's offer; it may contain no candidates. */
  offerSdp: string;
  /** Absolute path of the character file to draw. Null if the caller draws; then no video is sent. */
  characterFile: string | null;
  /** The requested matte. Default: unchanged if the offer continues a connection, otherwise a finished picture. */
  matte?: VideoMatte | undefined;
  /** Default: no background, the default paddings. */
  scene?: Scene | undefined;
  /** Whether the session has a recognizer, so that its microphone matters also between recordings. Default: true. */
  recognizes?: boolean | undefined;
}

/** How an offer was answered. */
export interface PeerAnswer {
  answerSdp: string;
  /** How the video is sent; null if no video is sent. */
  matte: VideoMatte | null;
}

/** Speech in the form that the media process plays; can be structured-cloned. */
export interface PlayableSpeech {
  sampleRateHz: number;
  pcm: Int16Array;
  words: TimedWord[];
  visemes: TimedViseme[];
}

/** The requested speech, or why there is none. */
export type SpeechOutcome =
  | { ok: true; speech: PlayableSpeech }
  | { ok: false; code: SpeechFaultCode; detail: string };

/** A text for the session's voice. */
export interface TextToSpeak {
  text: string;
  /** How fast the client wants it, times the rate that the owner has set. */
  rate: number;
}

/** Audio that a client uploaded, to be played with lip sync. */
export interface UploadedAudio {
  /** The text of the audio, from the client; may be empty. */
  message: string;
  format: "wav" | "mp3";
  bytes: Uint8Array;
}

/** A recording of a client's microphone: mono. */
export interface Recording {
  pcm: Int16Array;
  sampleRateHz: number;
  /** The language that the client expects. */
  language?: string | undefined;
  /** The recording was heard piece by piece: its id, and how many of its samples were. */
  heard?: { recordingId: string; samples: number } | undefined;
  /** The recording goes on, and its text may never be needed: it is recognized only where that costs nobody anything. */
  isSpeculative?: boolean | undefined;
}

/** The next piece of a recording that goes on, for engines that recognize speech while it is spoken. */
export interface RecordingPiece {
  /** Unique, even among recordings that a media process left behind when it died. */
  recordingId: string;
  /** Mono; all pieces have the same rate. */
  pcm: Int16Array;
  sampleRateHz: number;
  /** The language that the client expects. */
  language?: string | undefined;
  /** The recording was dropped: its text is not needed. */
  isDropped: boolean;
}

/** A recording and the languages to translate from and to. */
export interface RecordingToTranslate extends Omit<Recording, "language" | "heard" | "isSpeculative"> {
  srcLang: string;
  dstLang: string;
}

/** Text of a recording, or why there is none. */
export type RecordingOutcome = { ok: true; text: string } | { ok: false; code: string };

/** The look that a client requests during a session; at least one field is given. */
export interface WantedTemplate {
  /** Name of a model style. */
  model?: string | undefined;
  /** A style of that model. */
  dress?: string | undefined;
}

/** A look of the catalogue. */
export interface FoundTemplate {
  /** Absolute path of its character; null if it can only be drawn elsewhere. */
  characterFile: string | null;
  /** What a client needs to draw it. */
  drawn: DrawnTemplate;
}

/** Requests and reports from the media engine to the rest of the service. The requests never reject. */
export interface MediaHooks {
  /** Synthesizes a text with the session's voice and normalization. */
  synthesize(sessionId: string, wanted: TextToSpeak, signal: AbortSignal): Promise<SpeechOutcome>;
  /** Turns uploaded audio into speech with timings. */
  lipSync(sessionId: string, upload: UploadedAudio, signal: AbortSignal): Promise<SpeechOutcome>;
  /**
   * What the session's recognizer has understood of a recording that goes on; null if it cannot tell. The next piece comes after
   * the answer.
   */
  hear(sessionId: string, piece: RecordingPiece, signal: AbortSignal): Promise<string | null>;
  /** Recognizes a recording with the session's recognizer and normalization. */
  recognize(sessionId: string, recording: Recording, signal: AbortSignal): Promise<RecordingOutcome>;
  /** Recognizes a recording and translates the text. */
  translate(
    sessionId: string,
    recording: RecordingToTranslate,
    signal: AbortSignal,
  ): Promise<RecordingOutcome>;
  /** The look that a client means; null if the catalogue has no such look. */
  template(sessionId: string, wanted: WantedTemplate, signal: AbortSignal): Promise<FoundTemplate | null>;
  /** Bytes of the session's background image of that name; null if it is not available. */
  background(sessionId: string, image: string, signal: AbortSignal): Promise<Uint8Array | null>;
  /** The peer connection reached `connected`. */
  onConnected(sessionId: string): void;
  /** The client is active: a ping or media feedback. At most once in 5 s for each session. */
  onActivity(sessionId: string): void;
  /**
   * The peer has ended: the client closed it, or its process died. `session-failed` is an error in the process that affects
   * only this session; the session cannot continue.
   */
  onClosed(
    sessionId: string,
    cause: "peer-closed" | "connection-failed" | "session-failed" | "process-died",
  ): void;
  /** A media process died unexpectedly. */
  onProcessDied(): void;
}

/** Peer connections, drawing and playing, in supervised child processes. Throws MediaError. */
export interface MediaEngine {
  /** Creates the session's peer, or renegotiates/restarts a live one. */
  exchange(request: PeerRequest): Promise<PeerAnswer>;
  /** Number of sessions that have a peer here or are getting one. */
  readonly peerCount: number;
  /** Number of child processes that are ready for sessions. */
  readonly readyProcesses: number;
  /** Closes the session's peer, if it has one. */
  close(sessionId: string): void;
  /** Tells every client with a peer here that the service restarts. */
  announceRestart(): void;
  /** Ends all child processes. */
  stop(): Promise<void>;
}
