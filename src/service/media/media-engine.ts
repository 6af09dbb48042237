import type { IceServer } from "../../protocol/ice.ts";
import type { SpeechFaultCode } from "../../protocol/data-channel.ts";
import type { TimedViseme, TimedWord } from "../../protocol/speech.ts";

/** What a session's peer connection is made from. */
export interface PeerRequest {
  sessionId: string;
  /** The client's offer; may hold no candidate at all. */
  offerSdp: string;
  /** Absolute path of the character file that is drawn. */
  characterFile: string;
  iceServers: readonly IceServer[];
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

/** What the media engine asks of, and tells, the rest of the service. */
export interface MediaHooks {
  /** Speech of a text with the session's own voice and normalization. Never rejects. */
  synthesize(sessionId: string, text: string, signal: AbortSignal): Promise<SpeechOutcome>;
  /** The peer connection reached `connected`. */
  onConnected(sessionId: string): void;
  /** A sign of life: a ping or media feedback; at most once in 5 s a session. */
  onActivity(sessionId: string): void;
  /** The peer is gone for good: closed by the client, or its process died. */
  onClosed(sessionId: string, cause: "peer-closed" | "connection-failed" | "process-died"): void;
}

/** Peer connections, drawing and playing, in supervised child processes. Throws MediaError. */
export interface MediaEngine {
  /** Creates the session's peer, or renegotiates/restarts a live one; resolves with the answer's SDP. */
  exchange(request: PeerRequest): Promise<{ answerSdp: string }>;
  /** Closes the session's peer, if there is one. */
  close(sessionId: string): void;
  /** Ends all child processes. */
  stop(): Promise<void>;
}
