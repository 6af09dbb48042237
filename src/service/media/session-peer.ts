import { messageChannelLabel, type ServerMessage } from "../../protocol/data-channel.ts";
import { isDirectCandidate, publishedAnswer } from "./answer-sdp.ts";
import { sendText } from "./channel-send.ts";
import { FileChannel, fileChannelLabel, type FileChannelEvents } from "./file-channel.ts";
import { MediaError } from "./media-error.ts";
import type { MediaProcessSettings, OfferProgress, PeerEnd } from "./media-ipc.ts";
import { hasSameIce, isSamePeer, preparedOffer } from "./offer-sdp.ts";
import type { Guard } from "./session-guard.ts";
import {
  wrtc,
  type AudioSource,
  type DataChannel,
  type PeerConnection,
  type Track,
  type VideoSource,
} from "./wrtc.ts";

/** How long an answer waits for a candidate that a client can reach directly. */
const directCandidateWithinMs = 100;

/** And, where there is no candidate at all by then, for any. */
const anyCandidateWithinMs = 2_000;

/** Further addresses of this machine follow the first within this time. */
const siblingCandidatesMs = 2;

/** How long a failed connection is kept for the client's ICE restart. */
const restartWithinMs = 30_000;

/** A client that opens more file channels at once does not mean to upload files. */
const fileChannelsMax = 4;

/** What a peer is made from. */
export interface SessionPeerOptions {
  settings: MediaProcessSettings;
  audio: AudioSource;
  /** Null where no video is sent. */
  video: VideoSource | null;
  onConnected(): void;
  onMessage(data: unknown): void;
  /** The client's microphone came, perhaps before the offer is answered. */
  onMicrophone(): void;
  files: FileChannelEvents;
  /** Of the session: every handler goes through it. */
  guard: Guard;
  onEnded(cause: PeerEnd): void;
}

/** One peer connection of a session: answers the client's offers, sends both tracks, carries the messages. */
export class SessionPeer {
  readonly #options: SessionPeerOptions;
  readonly #connection: PeerConnection;
  readonly #tracks: Track[] = [];
  readonly #stream = new wrtc.MediaStream();
  #microphone: Track | undefined;
  #channel: DataChannel | undefined;
  readonly #fileChannels = new Set<FileChannel>();
  #offerSdp = "";
  #isClosed = false;
  #restartTimer: NodeJS.Timeout | undefined;
  #onCandidate: ((candidate: string | undefined) => void) | undefined;

  constructor(options: SessionPeerOptions) {
    this.#options = options;
    const { guard, settings } = options;
    const { portRange } = settings;
    this.#connection = new wrtc.RTCPeerConnection({
      // A client's relay reaches this machine as the client itself would; relays of its own would only cost allocations.
      iceServers: [],
      ...(portRange && { portRange }),
    });
    this.#connection.onicecandidate = guard(({ candidate }) => this.#onCandidate?.(candidate?.candidate));
    this.#connection.onconnectionstatechange = guard(() => this.#handleConnectionState());
    this.#connection.ontrack = guard(({ track }) => this.#handleTrack(track));
    this.#connection.ondatachannel = guard(({ channel }) => this.#handleChannel(channel));
  }

  /** Whether an offer comes from the peer that this one talks to: then it is a renegotiation or an ICE restart. */
  isAddressedBy(offerSdp: string): boolean {
    return !this.#isClosed && isSamePeer(this.#offerSdp, offerSdp);
  }

  /** Applies an offer and answers it. Throws MediaError `invalid_offer`. */
  async answer(offerSdp: string, onProgress: (progress: OfferProgress) => void): Promise<string> {
    // Without an ICE restart the candidates are those of before.
    const gathered = hasSameIce(this.#offerSdp, offerSdp) ? undefined : this.#gathered();
    onProgress("applying");
    try {
      await this.#connection.setRemoteDescription({ type: "offer", sdp: preparedOffer(offerSdp) });
      this.#offerSdp = offerSdp;
      this.#attachTracks(offerSdp);
      await this.#connection.setLocalDescription(await this.#connection.createAnswer());
    } catch (error) {
      throw MediaError.invalidOffer(error);
    }
    onProgress("applied");
    await gathered;
    const description = this.#connection.localDescription;
    if (this.#isClosed || !description) throw MediaError.stopped();
    return publishedAnswer(description.sdp, this.#options.settings.publicAddress);
  }

  /** The track of the client's microphone, where its offer had one. */
  get microphone(): Track | undefined {
    return this.#microphone;
  }

  /** Whether the client answers: ICE asks it again every few seconds (RFC 7675). */
  get isConnected(): boolean {
    return !this.#isClosed && this.#connection.connectionState === "connected";
  }

  /** Whether the client is sent video. */
  get hasVideo(): boolean {
    return this.#tracks.some(({ kind }) => kind === "video");
  }

  /** Sends a message, if the channel is open. */
  send(message: ServerMessage): void {
    if (this.#channel) sendText(this.#channel, JSON.stringify(message));
  }

  /** Closes the connection. Tells nobody. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#restartTimer);
    this.#onCandidate?.(undefined);
    this.#fileChannels.clear();
    for (const track of this.#tracks) track.stop();
    this.#connection.close();
  }

  /** Sends what the offer has room for; a later offer may have room for more. */
  #attachTracks(offerSdp: string): void {
    for (const kind of ["audio", "video"] as const) {
      if (!offerSdp.includes(`\nm=${kind} `) || this.#tracks.some((track) => track.kind === kind)) continue;
      const track = this.#options[kind]?.createTrack();
      if (!track) continue;
      this.#tracks.push(track);
      this.#connection.addTrack(track, this.#stream);
    }
  }

  /** Resolves when the local description holds what the client needs to connect. Never rejects. */
  #gathered(): Promise<void> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      let hasCandidate = false;
      const within = (ms: number, then: () => void): void => {
        clearTimeout(timer);
        timer = setTimeout(then, ms);
      };
      const done = (): void => {
        clearTimeout(timer);
        this.#onCandidate = undefined;
        resolve();
      };
      within(directCandidateWithinMs, () => {
        if (hasCandidate || this.#connection.iceGatheringState === "complete") done();
        else within(anyCandidateWithinMs, done);
      });
      this.#onCandidate = (candidate) => {
        if (candidate === undefined || candidate === "") {
          done();
          return;
        }
        hasCandidate = true;
        if (isDirectCandidate(candidate)) within(siblingCandidatesMs, done);
      };
    });
  }

  #handleConnectionState(): void {
    if (this.#isClosed) return;
    const state = this.#connection.connectionState;
    if (state === "connected") {
      clearTimeout(this.#restartTimer);
      this.#options.onConnected();
    } else if (state === "failed") {
      clearTimeout(this.#restartTimer);
      this.#restartTimer = setTimeout(
        this.#options.guard(() => this.#end("connection-failed")),
        restartWithinMs,
      );
    } else if (state === "closed") {
      this.#end("peer-closed");
    }
  }

  #handleTrack(track: Track): void {
    if (track.kind !== "audio") return;
    this.#microphone = track;
    this.#options.onMicrophone();
  }

  #handleChannel(channel: DataChannel): void {
    if (channel.label === fileChannelLabel && this.#fileChannels.size < fileChannelsMax) {
      this.#takeFiles(channel);
      return;
    }
    if (channel.label !== messageChannelLabel) {
      channel.close();
      return;
    }
    this.#channel = channel;
    const { guard, onMessage } = this.#options;
    channel.onmessage = guard(({ data }) => onMessage(data));
    // A client that closes its connection is known by this at once, by the connection only seconds later.
    channel.onclose = guard(() => this.#end("peer-closed"));
    // It may have come and gone before this was told.
    if (channel.readyState === "closing" || channel.readyState === "closed") this.#end("peer-closed");
  }

  #takeFiles(channel: DataChannel): void {
    const { files, guard } = this.#options;
    const upload = new FileChannel(channel, files, guard, () => this.#fileChannels.delete(upload));
    this.#fileChannels.add(upload);
  }

  #end(cause: PeerEnd): void {
    if (this.#isClosed) return;
    this.close();
    this.#options.onEnded(cause);
  }
}
