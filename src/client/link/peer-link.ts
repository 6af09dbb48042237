import {
  type ClientMessage,
  messageChannelLabel,
  type ServerMessage,
  serverMessageSchema,
} from "../../protocol/session/data-channel.ts";
import { TypedEvents } from "../typed-events.ts";
import type { Answer, Offer } from "../../protocol/session/exchange.ts";

/**
 * A ping is sent every second. These are numbers of pings in a row without any message from the service: after so many the
 * service counts as silent, the path as lost, and the service as gone.
 */
const pingIntervalMs = 1_000;
const quietAfter = 2;
const stalledAfter = 5;
const lostAfter = 15;

export interface AvatarChannelEvents {
  open: undefined;
  message: ServerMessage;
  /** Whether messages arrive: false after two seconds without one, true with the next. */
  heard: boolean;
  /** No message has arrived for so long that the path may be lost, even if the browser has not noticed. */
  stalled: undefined;
  /** The channel closed unexpectedly, or the service no longer answers. */
  lost: undefined;
}

/**
 * The data channel `message` (wire conventions, Media). It counts pings instead of time, so that a page that was asleep
 * does not conclude that the service was silent.
 */
class AvatarChannel {
  readonly events = new TypedEvents<AvatarChannelEvents>();
  readonly #channel: RTCDataChannel;
  #timer: ReturnType<typeof setInterval> | undefined;
  #unanswered = 0;
  #heardAtMs = performance.now();

  constructor(channel: RTCDataChannel) {
    this.#channel = channel;
    channel.onopen = () => this.#handleOpen();
    channel.onclose = () => this.#handleLost();
    channel.onmessage = (event: MessageEvent<unknown>) => this.#handleMessage(event.data);
  }

  get open(): boolean {
    return this.#channel.readyState === "open";
  }

  /** Whether messages are missing. */
  get quiet(): boolean {
    return this.#unanswered >= quietAfter;
  }

  /** When the last message arrived, on the clock of `performance.now()`. */
  get heardAtMs(): number {
    return this.#heardAtMs;
  }

  /** Sends a message; false when the channel is not open. */
  send(message: ClientMessage): boolean {
    if (!this.open) return false;
    this.#channel.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    clearInterval(this.#timer);
    this.events.clear();
    this.#channel.onopen = this.#channel.onclose = this.#channel.onmessage = null;
    this.#channel.close();
  }

  #handleOpen(): void {
    this.#heardAtMs = performance.now();
    this.#timer = setInterval(() => this.#ping(), pingIntervalMs);
    this.events.emit("open", undefined);
  }

  #ping(): void {
    if (this.#unanswered >= lostAfter) {
      this.#handleLost();
      return;
    }
    this.#unanswered += 1;
    if (this.#unanswered === quietAfter) this.events.emit("heard", false);
    if (this.#unanswered === stalledAfter) this.events.emit("stalled", undefined);
    this.send({ type: "ping", data: {} });
  }

  #handleLost(): void {
    clearInterval(this.#timer);
    this.#channel.onclose = null;
    this.events.emit("lost", undefined);
  }

  #handleMessage(data: unknown): void {
    const wasQuiet = this.quiet;
    this.#unanswered = 0;
    this.#heardAtMs = performance.now();
    if (wasQuiet) this.events.emit("heard", true);
    const message = parseServerMessage(data);
    if (message) this.events.emit("message", message);
  }
}

/** A message from the service, or null if it is malformed or of an unknown type. Neither ends a session. */
function parseServerMessage(data: unknown): ServerMessage | null {
  try {
    return serverMessageSchema.safeParse(JSON.parse(String(data))).data ?? null;
  } catch {
    return null;
  }
}

export interface PeerLinkEvents {
  /** `connectionState` changed. Unlike the ICE state it reports a lost path in time. */
  state: RTCPeerConnectionState;
}

type CandidatePairStats = RTCIceCandidatePairStats & { packetsReceived: number };

/** One peer connection with the data channel and one received video and audio track. */
export class PeerLink {
  readonly events = new TypedEvents<PeerLinkEvents>();
  readonly channel: AvatarChannel;
  /** The received tracks, silent and black until media flows. Owned by this link. */
  readonly stream: MediaStream;
  readonly peerConnection = new RTCPeerConnection();
  /** The service speaks. */
  declare readonly isSilent?: false;

  /** Throws if the browser refuses a connection, as with an extension that does not allow any. */
  constructor(withVideo: boolean) {
    const { peerConnection } = this;
    this.channel = new AvatarChannel(
      peerConnection.createDataChannel(messageChannelLabel, { protocol: messageChannelLabel, ordered: true }),
    );
    if (withVideo) preferVp8(peerConnection.addTransceiver("video", { direction: "recvonly" }));
    // The microphone's track comes later, without another exchange. Until then nothing is sent.
    peerConnection.addTransceiver("audio", { direction: "sendrecv" });
    this.stream = new MediaStream(peerConnection.getReceivers().map((receiver) => receiver.track));
    peerConnection.onconnectionstatechange = () => this.events.emit("state", peerConnection.connectionState);
  }

  get state(): RTCPeerConnectionState {
    return this.peerConnection.connectionState;
  }

  /** The offer without candidates. A directly reachable service does not need them. */
  async offer(): Promise<Offer> {
    await this.peerConnection.setLocalDescription();
    return this.localOffer;
  }

  /** Applies the service's answer. */
  async accept(answer: Answer): Promise<void> {
    await this.peerConnection.setRemoteDescription(answer);
  }

  /** Number of packets that have arrived so far, with the answers to the browser's checks of the path. */
  async packetsReceived(): Promise<number> {
    let count = 0;
    const report = await this.peerConnection.getStats();
    report.forEach(({ packetsReceived = 0, responsesReceived = 0, type }: Partial<CandidatePairStats>) => {
      if (type === "candidate-pair") count += packetsReceived + responsesReceived;
    });
    return count;
  }

  close(): void {
    this.events.clear();
    this.channel.close();
    this.peerConnection.onconnectionstatechange = null;
    for (const track of this.stream.getTracks()) track.stop();
    this.peerConnection.close();
  }

  /** The offer with the candidates gathered so far. */
  get localOffer(): Offer {
    return { type: "offer", sdp: this.peerConnection.localDescription?.sdp ?? "" };
  }
}

/** VP8 is cheapest for the service to encode. Preferences of the answering side have no effect, so the offer prefers it. */
function preferVp8(transceiver: RTCRtpTransceiver): void {
  const codecs = RTCRtpReceiver.getCapabilities("video")?.codecs ?? [];
  const isVp8 = (codec: { mimeType: string }): boolean => codec.mimeType.toLowerCase() === "video/vp8";
  if (codecs.some(isVp8))
    transceiver.setCodecPreferences([...codecs.filter(isVp8), ...codecs.filter((codec) => !isVp8(codec))]);
}
