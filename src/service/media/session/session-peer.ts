import { networkInterfaces } from "node:os";
import { messageChannelLabel, type ServerMessage } from "../../../protocol/session/data-channel.ts";
import { speechChannelLabel, type SpeechPart } from "../../../protocol/speech/speech-part.ts";
import {
  hasSameIce,
  isDirectCandidate,
  isSamePeer,
  preparedOffer,
  publishedAnswer,
  wantsVideo,
} from "../negotiation/sdp.ts";
import { ChannelSender, FileChannel, type FileChannelEvents, fileChannelLabel } from "./file-channel.ts";
import { MediaError } from "../media-error.ts";
import type { MediaProcessSettings, OfferProgress, PeerEnd } from "../processes/media-ipc.ts";
import type { Guard } from "../session-guard.ts";
import {
  type AudioSource,
  type DataChannel,
  type PeerConnection,
  type Track,
  type VideoSource,
  wrtc,
} from "../wrtc.ts";

/** How long an answer waits for a candidate that a client can reach directly. */
const directCandidateWithinMs = 100;

/** If there is no candidate at all by then, how long it waits for any candidate. */
const anyCandidateWithinMs = 2_000;

/** Candidates for further addresses of this machine follow the first within this time. */
const siblingCandidatesMs = 2;

/** How long a failed connection waits for the client's ICE restart. */
const restartWithinMs = 30_000;

/** The most file channels that are open at once. Real uploads do not need more. */
const fileChannelsMax = 4;

/** Dependencies and settings of a peer. */
export interface SessionPeerOptions {
  settings: MediaProcessSettings;
  /** Whether the process has so many sessions that processor time is scarce. */
  isBusy(): boolean;
  audio: AudioSource;
  /** Null if no video is sent. */
  video: VideoSource | null;
  onConnected(): void;
  /** Messages can be sent to the client from now on. */
  onOpen(): void;
  onMessage(data: unknown): void;
  /** The track of the client's microphone arrived, possibly before the offer is answered. */
  onMicrophone(): void;
  files: FileChannelEvents;
  /** The guard of the session: every handler goes through it. */
  guard: Guard;
  onEnded(cause: PeerEnd): void;
}

/** The public address if the machine has it itself; undefined behind NAT. */
function ownAddress(publicAddress: string | undefined): string | undefined {
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return own.some(({ address }) => address === publicAddress) ? publicAddress : undefined;
}

/** One peer connection of a session: answers the client's offers, sends both tracks, transports the messages. */
export class SessionPeer {
  readonly #options: SessionPeerOptions;
  readonly #connection: PeerConnection;
  readonly #tracks: Track[] = [];
  readonly #stream = new wrtc.MediaStream();
  #microphone: Track | undefined;
  #sender: ChannelSender | undefined;
  #parts: ChannelSender | undefined;
  readonly #fileChannels = new Set<FileChannel>();
  #offerSdp = "";
  #hasVideo = false;
  /** The state at its latest change. To ask the library takes two changes of threads, and each session asks every 10 ms. */
  #state: PeerConnection["connectionState"] = "new";
  #isClosed = false;
  #restartTimer: NodeJS.Timeout | undefined;
  #onCandidate: ((candidate: string | undefined) => void) | undefined;

  constructor(options: SessionPeerOptions) {
    this.#options = options;
    const { guard, settings } = options;
    const { portRange } = settings;
    this.#connection = new wrtc.RTCPeerConnection({
      // A client's TURN relay reaches this machine as the client itself would. Relays for this side would only cost allocations.
      iceServers: [],
      ...(portRange && { portRange }),
    });
    this.#connection.onicecandidate = guard(({ candidate }) => this.#onCandidate?.(candidate?.candidate));
    this.#connection.onconnectionstatechange = guard(() => this.#handleConnectionState());
    this.#connection.ontrack = guard(({ track }) => this.#handleTrack(track));
    this.#connection.ondatachannel = guard(({ channel }) => this.#handleChannel(channel));
  }

  /** Whether an offer comes from the connected client peer, so that it is a renegotiation or an ICE restart. */
  isAddressedBy(offerSdp: string): boolean {
    return !this.#isClosed && isSamePeer(this.#offerSdp, offerSdp);
  }

  /** Applies an offer and answers it. Throws MediaError `invalid_offer`. */
  async answer(offerSdp: string, onProgress: (progress: OfferProgress) => void): Promise<string> {
    // Without an ICE restart, the candidates stay the same.
    const gathered = hasSameIce(this.#offerSdp, offerSdp) ? undefined : this.#gathered();
    onProgress("applying");
    try {
      await this.#connection.setRemoteDescription({
        type: "offer",
        sdp: preparedOffer(offerSdp, this.#options.isBusy()),
      });
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

  /** The track of the client's microphone, if its offer had one. */
  get microphone(): Track | undefined {
    return this.#microphone;
  }

  /** Whether the client responds: ICE checks its consent every few seconds (RFC 7675). */
  get isConnected(): boolean {
    return !this.#isClosed && this.#state === "connected";
  }

  /** Whether video is sent to the client. */
  get hasVideo(): boolean {
    return this.#hasVideo;
  }

  /** Sends a message, if there is a channel. */
  send(message: ServerMessage): void {
    this.#sender?.send(JSON.stringify(message));
  }

  /** Whether the client has opened the channel for parts of timelines. */
  get takesParts(): boolean {
    return this.#parts !== undefined;
  }

  /** Sends a part of a speech's timeline, if there is a channel for it. */
  sendPart(part: SpeechPart): void {
    this.#parts?.send(JSON.stringify(part));
  }

  /** Sends what waits, and closes the connection. Calls no event handler. */
  close(): void {
    if (this.#isClosed) return;
    this.#sender?.flush();
    this.#parts?.discard();
    this.#isClosed = true;
    clearTimeout(this.#restartTimer);
    this.#onCandidate?.(undefined);
    this.#fileChannels.clear();
    for (const track of this.#tracks) track.stop();
    this.#connection.close();
  }

  /** Adds the tracks for which the offer has a section. A later offer may have more sections. */
  #attachTracks(offerSdp: string): void {
    for (const kind of ["audio", "video"] as const) {
      if (!offerSdp.includes(`\nm=${kind} `) || this.#tracks.some((track) => track.kind === kind)) continue;
      const track = this.#options[kind]?.createTrack();
      if (!track) continue;
      this.#tracks.push(track);
      this.#connection.addTrack(track, this.#stream);
    }
    this.#hasVideo = this.#tracks.some(({ kind }) => kind === "video") && wantsVideo(offerSdp);
  }

  /** Resolves when the local description holds what the client needs to connect. Never rejects. */
  #gathered(): Promise<void> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      let hasCandidate = false;
      const address = ownAddress(this.#options.settings.publicAddress);
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
        // An address that is known has no siblings.
        if (isDirectCandidate(candidate, address))
          within(address === undefined ? siblingCandidatesMs : 0, done);
      };
    });
  }

  #handleConnectionState(): void {
    if (this.#isClosed) return;
    const state = this.#connection.connectionState;
    this.#state = state;
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
    if (channel.label === speechChannelLabel) {
      this.#takeParts(channel);
      return;
    }
    if (channel.label !== messageChannelLabel) {
      channel.close();
      return;
    }
    const { guard, onMessage } = this.#options;
    this.#sender?.discard();
    this.#sender = new ChannelSender(channel, guard);
    channel.onmessage = guard(({ data }) => onMessage(data));
    // When a client closes its connection, the channel closes at once; the connection state changes only seconds later.
    channel.onclose = guard(() => this.#end("peer-closed"));
    // The channel may have opened, and closed again, before this handler was called.
    const { readyState } = channel;
    if (readyState === "open") this.#options.onOpen();
    else if (readyState === "connecting") channel.onopen = guard(() => this.#options.onOpen());
    else this.#end("peer-closed");
  }

  /** From now on the client gets the timelines of speeches here. */
  #takeParts(channel: DataChannel): void {
    const { guard } = this.#options;
    const sender = new ChannelSender(channel, guard);
    const take = guard(() => {
      // A client needs one. More would only take memory.
      if (this.#parts) channel.close();
      else this.#parts = sender;
    });
    channel.onclose = guard(() => {
      sender.discard();
      if (this.#parts === sender) this.#parts = undefined;
    });
    const { readyState } = channel;
    if (readyState === "open") take();
    else if (readyState === "connecting") channel.onopen = take;
  }

  #takeFiles(channel: DataChannel): void {
    const { files, guard } = this.#options;
    const upload = new FileChannel(channel, files, guard, () => this.#fileChannels.delete(upload));
    this.#fileChannels.add(upload);
  }

  #end(cause: PeerEnd): void {
    if (this.#isClosed) return;
    this.#sender?.discard();
    this.close();
    this.#options.onEnded(cause);
  }
}
