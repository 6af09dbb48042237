import { messageChannelLabel } from "../protocol/data-channel.ts";
import type { Answer, Offer } from "../protocol/exchange.ts";
import { AvatarChannel } from "./avatar-channel.ts";
import { TypedEvents } from "./typed-events.ts";
import { VisavisError } from "./visavis-error.ts";

export interface PeerLinkEvents {
  /** `connectionState` changed: it, not the ICE state, tells a lost path in time. */
  state: RTCPeerConnectionState;
}

/** One peer connection with what a session needs of it: the channel, one video and one audio track to receive. */
export class PeerLink {
  readonly events = new TypedEvents<PeerLinkEvents>();
  readonly channel: AvatarChannel;
  /** The received tracks; silent and dark until media flows. Owned by this link. */
  readonly stream: MediaStream;
  readonly peerConnection: RTCPeerConnection;

  /** Throws VisavisError `media_unsupported` where the browser has no WebRTC. */
  constructor(withVideo: boolean) {
    if (typeof RTCPeerConnection === "undefined")
      throw new VisavisError("media_unsupported", "This browser cannot show the avatar. Type instead.");
    const peerConnection = new RTCPeerConnection();
    this.peerConnection = peerConnection;
    this.channel = new AvatarChannel(
      peerConnection.createDataChannel(messageChannelLabel, { protocol: messageChannelLabel, ordered: true }),
    );
    if (withVideo) preferVp8(peerConnection.addTransceiver("video", { direction: "recvonly" }));
    peerConnection.addTransceiver("audio", { direction: "recvonly" });
    this.stream = new MediaStream(peerConnection.getReceivers().map((receiver) => receiver.track));
    peerConnection.onconnectionstatechange = () => this.events.emit("state", peerConnection.connectionState);
  }

  get state(): RTCPeerConnectionState {
    return this.peerConnection.connectionState;
  }

  /** The offer at once, with no wait for candidates: they reach a service that is directly reachable by themselves. */
  async offer(): Promise<Offer> {
    await this.peerConnection.setLocalDescription();
    return this.localOffer;
  }

  /** Applies the service's answer. */
  async accept(answer: Answer): Promise<void> {
    await this.peerConnection.setRemoteDescription(answer);
  }

  close(): void {
    this.events.clear();
    this.channel.close();
    this.peerConnection.onconnectionstatechange = null;
    for (const track of this.stream.getTracks()) track.stop();
    this.peerConnection.close();
  }

  /** The offer as it stands, with the candidates that are in by now. */
  get localOffer(): Offer {
    return { type: "offer", sdp: this.peerConnection.localDescription?.sdp ?? "" };
  }
}

/** The service encodes VP8 at least cost; preferences of the answering side have no effect, so it is asked for here. */
function preferVp8(transceiver: RTCRtpTransceiver): void {
  const codecs = RTCRtpReceiver.getCapabilities("video")?.codecs ?? [];
  const isVp8 = (codec: { mimeType: string }): boolean => codec.mimeType.toLowerCase() === "video/vp8";
  if (codecs.some(isVp8))
    transceiver.setCodecPreferences([...codecs.filter(isVp8), ...codecs.filter((codec) => !isVp8(codec))]);
}
