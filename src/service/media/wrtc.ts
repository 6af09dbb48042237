import wrtcModule from "@roamhq/wrtc";
import type { IceServer } from "../../protocol/session/ice.ts";

/** A session description in the form that the peer connection uses. */
export interface Description {
  type: "offer" | "answer";
  sdp: string;
}

/** A media track of this process or of the client. */
export interface Track {
  readonly kind: "audio" | "video";
  stop(): void;
}

/** The used part of a data channel. */
export interface DataChannel {
  readonly label: string;
  readonly readyState: "connecting" | "open" | "closing" | "closed";
  binaryType: "arraybuffer";
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  send(text: string): void;
  close(): void;
}

/** The used part of a peer connection. */
export interface PeerConnection {
  readonly localDescription: Description | null;
  readonly connectionState: "new" | "connecting" | "connected" | "disconnected" | "failed" | "closed";
  readonly iceGatheringState: "new" | "gathering" | "complete";
  onicecandidate: ((event: { candidate: { candidate: string } | null }) => void) | null;
  onconnectionstatechange: (() => void) | null;
  ontrack: ((event: { track: Track }) => void) | null;
  ondatachannel: ((event: { channel: DataChannel }) => void) | null;
  setRemoteDescription(description: Description): Promise<void>;
  createAnswer(): Promise<Description>;
  createOffer(): Promise<Description>;
  createDataChannel(label: string): DataChannel;
  setLocalDescription(description: Description): Promise<void>;
  addTrack(track: Track, stream: object): unknown;
  close(): void;
}

/** Settings of a peer connection; `portRange` is an extension of this library. */
export interface PeerConnectionSettings {
  iceServers: IceServer[];
  /** `relay`: candidates of TURN servers only. */
  iceTransportPolicy?: "all" | "relay";
  portRange?: { min: number; max: number };
}

/** A picture for a video track: planar 4:2:0, luma then both chroma planes. */
export interface VideoFrame {
  width: number;
  height: number;
  data: Uint8Array;
}

/** 10 ms of audio for an audio track. */
export interface AudioFrame {
  samples: Int16Array;
  sampleRate: number;
  bitsPerSample: 16;
  channelCount: 1;
  numberOfFrames: number;
}

/** Receives an audio track in pieces of about 10 ms until it is stopped. */
export interface AudioSink {
  ondata: ((heard: HeardAudio) => void) | null;
  stop(): void;
}

/** Received audio: interleaved samples. */
export interface HeardAudio {
  samples: Int16Array;
  sampleRate: number;
  channelCount: number;
}

/** The source of a video track's pictures. */
export interface VideoSource {
  createTrack(): Track;
  onFrame(frame: VideoFrame): void;
}

/** The source of an audio track's audio. */
export interface AudioSource {
  createTrack(): Track;
  onData(frame: AudioFrame): void;
}

interface Wrtc {
  RTCPeerConnection: new (settings: PeerConnectionSettings) => PeerConnection;
  MediaStream: new () => object;
  nonstandard: {
    RTCVideoSource: new (settings: { isScreencast: boolean; needsDenoising: boolean }) => VideoSource;
    RTCAudioSource: new () => AudioSource;
    RTCAudioSink: new (track: Track) => AudioSink;
    rgbaToI420(
      rgba: { width: number; height: number; data: Uint8ClampedArray },
      i420: { width: number; height: number; data: Uint8ClampedArray },
    ): void;
  };
}

/**
 * The WebRTC library, with types for the used part only: its own types need those of the DOM, which the server does not have.
 * Only media processes may import this. The library aborts if two threads of a process use it, and it can crash at any time.
 */
// eslint-disable-next-line no-restricted-syntax -- see above
export const wrtc = wrtcModule as unknown as Wrtc;
