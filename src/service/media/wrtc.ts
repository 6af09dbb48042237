import wrtcModule from "@roamhq/wrtc";
import type { IceServer } from "../../protocol/ice.ts";

/** A session description as the peer connection takes and gives it. */
export interface Description {
  type: "offer" | "answer";
  sdp: string;
}

/** A media track of this process or of the client. */
export interface Track {
  readonly kind: "audio" | "video";
  stop(): void;
}

/** What is used of a data channel. */
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

/** What is used of a peer connection. */
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
  setLocalDescription(description: Description): Promise<void>;
  addTrack(track: Track, stream: object): unknown;
  close(): void;
}

/** Settings of a peer connection; `portRange` is this package's own. */
export interface PeerConnectionSettings {
  iceServers: IceServer[];
  portRange?: { min: number; max: number };
}

/** A picture for a video track: planar 4:2:0, luma then both chroma planes. */
export interface VideoFrame {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Audio for an audio track: 10 ms of it. */
export interface AudioFrame {
  samples: Int16Array;
  sampleRate: number;
  bitsPerSample: 16;
  channelCount: 1;
  numberOfFrames: number;
}

/** Hears an audio track until it is stopped: about 10 ms at a time. */
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

/** Where a video track's pictures come from. */
export interface VideoSource {
  createTrack(): Track;
  onFrame(frame: VideoFrame): void;
}

/** Where an audio track's sound comes from. */
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
 * The WebRTC library, typed by the part that is used: its own types are those of the DOM, which the server does not have.
 * Only media processes may import this: two threads of it in one process abort, and it may die on its own.
 */
export const wrtc = wrtcModule as unknown as Wrtc;
