import { messageChannelLabel } from "../protocol/data-channel.ts";
import type { Answer, Offer } from "../protocol/exchange.ts";
import { AvatarChannel } from "./avatar-channel.ts";
import { TypedEvents } from "./typed-events.ts";

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
