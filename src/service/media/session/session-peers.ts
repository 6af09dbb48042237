import type { ServerMessage } from "../../../protocol/session/data-channel.ts";
import type { SpeechPart } from "../../../protocol/speech/speech-part.ts";
import { MediaError } from "../media-error.ts";
import type { OfferProgress, PeerEnd } from "../processes/media-ipc.ts";
import { SessionPeer, type SessionPeerOptions } from "./session-peer.ts";
import type { Track } from "../wrtc.ts";

/** Dependencies of a session's peers. A peer that was replaced reports nothing any more. */
export interface SessionPeersOptions extends Omit<SessionPeerOptions, "onMicrophone" | "onEnded"> {
  /** The client's microphone; undefined if its current connection has none. */
  onMicrophone(track: Track | undefined): void;
  onEnded(cause: PeerEnd): void;
}

/**
 * The peer connection of a session; there is at most one. Offers from the same client connection are renegotiations or ICE
 * restarts. An offer from another connection replaces the peer as soon as it is answered, and the previous connection closes.
 */
export class SessionPeers {
  readonly #options: SessionPeersOptions;
  #peer: SessionPeer | undefined;
  #isClosed = false;
  /** Offers are answered one after another. */
  #exchanges: Promise<unknown> = Promise.resolve();

  constructor(options: SessionPeersOptions) {
    this.#options = options;
  }

  /** Answers an offer. If the offer cannot be answered, the current peer stays. Throws MediaError. */
  async exchange(offerSdp: string, onProgress: (progress: OfferProgress) => void): Promise<string> {
    const answered = this.#exchanges.then(() => this.#answer(offerSdp, onProgress));
    this.#exchanges = answered.catch(() => undefined);
    return answered;
  }

  /** Whether the client responds. */
  get isConnected(): boolean {
    return this.#peer?.isConnected ?? false;
  }

  /** Whether video is sent to the client. */
  get hasVideo(): boolean {
    return this.#peer?.hasVideo ?? false;
  }

  /** Whether an offer continues the current connection. */
  isAddressedBy(offerSdp: string): boolean {
    return this.#peer?.isAddressedBy(offerSdp) ?? false;
  }

  /** Sends a message, if a client is connected. */
  send(message: ServerMessage): void {
    this.#peer?.send(message);
  }

  /** Whether the client has opened the channel for parts of timelines. */
  get takesParts(): boolean {
    return this.#peer?.takesParts ?? false;
  }

  /** Sends a part of a speech's timeline, if the client takes it. */
  sendPart(part: SpeechPart): void {
    this.#peer?.sendPart(part);
  }

  /** Closes the peer. No new peer is created afterwards. */
  close(): void {
    this.#isClosed = true;
    this.#peer?.close();
  }

  async #answer(offerSdp: string, onProgress: (progress: OfferProgress) => void): Promise<string> {
    if (this.#isClosed) throw MediaError.stopped();
    if (this.#peer?.isAddressedBy(offerSdp)) return this.#peer.answer(offerSdp, onProgress);
    const peer = this.#newPeer();
    try {
      const answer = await peer.answer(offerSdp, onProgress);
      this.#replace(peer);
      return answer;
    } catch (error) {
      peer.close();
      throw error;
    }
  }

  #newPeer(): SessionPeer {
    const ifPresent = (then: () => void): void => {
      if (peer === this.#peer && !this.#isClosed) then();
    };
    const peer: SessionPeer = new SessionPeer({
      ...this.#options,
      onOpen: () => ifPresent(() => this.#options.onOpen()),
      onMicrophone: () => ifPresent(() => this.#options.onMicrophone(peer.microphone)),
      onEnded: (cause) => ifPresent(() => this.#options.onEnded(cause)),
    });
    return peer;
  }

  #replace(peer: SessionPeer): void {
    if (this.#isClosed) throw MediaError.stopped();
    this.#peer?.close();
    this.#peer = peer;
    this.#options.onMicrophone(peer.microphone);
  }
}
