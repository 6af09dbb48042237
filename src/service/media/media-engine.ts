import type { SpeechFaultCode } from "../../protocol/data-channel.ts";
import type { VideoMatte } from "../../protocol/exchange.ts";
import type { TimedViseme, TimedWord } from "../../protocol/speech.ts";
import type { Paddings } from "../../protocol/stage-settings.ts";

/** What a finished picture is composed of besides the avatar. */
export interface Scene {
  paddings: Paddings;
  /** Names the background image, for the hook that reads it; null where there is none. */
  background: string | null;
}

/** What a session's peer connection is made from. */
export interface PeerRequest {
  sessionId: string;
  /** The client's offer; may hold no candidate at all. */
  offerSdp: string;
  /** Absolute path of the character file that is drawn; null where the caller draws: then no video is sent. */
  characterFile: string | null;
  /** How the video is wanted; left out: as before where the offer continues a connection, else finished. */
  matte?: VideoMatte | undefined;
  /** Default: no background, the default paddings. */
  scene?: Scene | undefined;
}

/** How an offer was answered. */
export interface PeerAnswer {
  answerSdp: string;
  /** How the video is sent; null where none is. */
  matte: VideoMatte | null;
}

/** Speech as the media process plays it; structured-clonable. */
export interface PlayableSpeech {
  sampleRateHz: number;
  pcm: Int16Array;
  words: TimedWord[];
  visemes: TimedViseme[];
}

/** Outcome of asking for speech: the speech, or why there is none. */
export type SpeechOutcome =
  { ok: true; speech: PlayableSpeech } | { ok: false; code: SpeechFaultCode; detail: string };

/** Audio that a client uploaded, to be played with lips in time. */
export interface UploadedAudio {
  /** What is said in it, as the client has it; may be empty. */
  message: string;
  format: "wav" | "mp3";
  bytes: Uint8Array;
}

/** What a client's microphone heard: mono. */
export interface Recording {
  pcm: Int16Array;
  sampleRateHz: number;
  /** The language that the client expects. */
  language?: string | undefined;
}

/** A recording and the languages to translate from and to. */
export interface RecordingToTranslate extends Omit<Recording, "language"> {
  srcLang: string;
  dstLang: string;
}

/** Text of a recording, or why there is none. */
export type RecordingOutcome = { ok: true; text: string } | { ok: false; code: string };

/** The look that a client asks for while it is live; at least one is given. */
export interface WantedTemplate {
  /** Name of a model style. */
  model?: string | undefined;
  /** A style of that model. */
  dress?: string | undefined;
}

/** What the media engine asks of, and tells, the rest of the service. What it asks for never rejects. */
export interface MediaHooks {
  /** Speech of a text with the session's own voice and normalization. */
  synthesize(sessionId: string, text: string, signal: AbortSignal): Promise<SpeechOutcome>;
  /** Uploaded audio as speech. */
  lipSync(sessionId: string, upload: UploadedAudio, signal: AbortSignal): Promise<SpeechOutcome>;
  /** What is said in a recording, by the session's recognizer and normalization. */
  recognize(sessionId: string, recording: Recording, signal: AbortSignal): Promise<RecordingOutcome>;
  /** What is said in a recording, in another language. */
  translate(
    sessionId: string,
    recording: RecordingToTranslate,
    signal: AbortSignal,
  ): Promise<RecordingOutcome>;
  /** Absolute path of the character file of a look; null where the catalogue has none. */
  characterFile(sessionId: string, wanted: WantedTemplate, signal: AbortSignal): Promise<string | null>;
  /** Bytes of the session's background image of that name; null where they cannot be had. */
  background(sessionId: string, image: string, signal: AbortSignal): Promise<Uint8Array | null>;
  /** The peer connection reached `connected`. */
  onConnected(sessionId: string): void;
  /** A sign of life: a ping or media feedback; at most once in 5 s a session. */
  onActivity(sessionId: string): void;
  /**
   * The peer is gone for good: closed by the client, or its process died. After `session-failed`, an error in the process that
   * this session alone met, the session cannot go on.
   */
  onClosed(
    sessionId: string,
    cause: "peer-closed" | "connection-failed" | "session-failed" | "process-died",
  ): void;
  /** A media process died without being asked to. */
  onProcessDied(): void;
}

/** Peer connections, drawing and playing, in supervised child processes. Throws MediaError. */
export interface MediaEngine {
  /** Creates the session's peer, or renegotiates/restarts a live one. */
  exchange(request: PeerRequest): Promise<PeerAnswer>;
  /** Sessions that have a peer here, or are about to have one. */
  readonly peerCount: number;
  /** Closes the session's peer, if there is one. */
  close(sessionId: string): void;
  /** Ends all child processes. */
  stop(): Promise<void>;
}
