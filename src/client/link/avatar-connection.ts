import type { ClientMessage, ServerMessage } from "../../protocol/session/data-channel.ts";
import type { Answer } from "../../protocol/session/exchange.ts";
import type { IceServer } from "../../protocol/session/ice.ts";
import type { ConnectionHost } from "./connection-host.ts";
import type { MediaLink } from "./media-link.ts";
import type * as recovery from "./recovery.ts";
import type { RecoverableConnection } from "./recovery.ts";
import type { SessionRelay } from "../relay/relay-client.ts";
import { TypedEvents } from "../typed-events.ts";
import { VisavisError } from "../visavis-error.ts";

/** How long the direct path may take before TURN and STUN servers are tried, and how long these may, if they are tried first. */
const directLimitMs = 4_000;
const indirectLimitMs = 12_000;
/** `disconnected` often recovers by itself. ICE restarts after this time, in ms. */
const graceMs = 3_000;
const recoveryLimitMs = 60_000;
const refetchMs = 2_000;

export interface ConnectionEvents {
  answered: undefined;
  /** ICE and DTLS are connected. */
  connected: undefined;
  /** Tracks to play from now on. */
  stream: MediaStream | null;
  channelopen: { rejoined: boolean; heardAtMs: number };
  message: ServerMessage;
  /** What is being sent to the service. */
  sent: ClientMessage;
  /** Whether messages from the service arrive at the moment. */
  heard: boolean;
  /** The path is lost and recovery has begun. */
  lost: undefined;
  attempt: { attempt: number; of: number };
  restored: undefined;
  /** Recovery has given up. */
  failed: VisavisError;
}

/** The media connection of one session. It begins with the offer's link, which recovery may replace. */
export class AvatarConnection implements RecoverableConnection {
  readonly events = new TypedEvents<ConnectionEvents>();
  readonly relay: SessionRelay;
  readonly host: ConnectionHost;
  readonly #closing = new AbortController();
  #link: MediaLink;
  #iceServers: IceServer[];
  #established = false;
  #recovering = false;
  #rejoinNeeded = false;
  #stalled = false;
  /** The packets that had arrived when messages were missing for the first time. */
  #packetsBefore = 0;
  /** The avatar's look, if the service has told one: whoever draws the avatar may come later. */
  look: object | null = null;
  wake: (() => void) | null = null;
  /** The service restarts: recovery begins without telling anybody. */
  quiet = false;

  constructor(link: MediaLink, relay: SessionRelay, iceServers: IceServer[], host: ConnectionHost) {
    this.#link = link;
    this.relay = relay;
    this.host = host;
    this.#iceServers = iceServers;
    this.#watch(link);
  }

  get link(): MediaLink {
    return this.#link;
  }

  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Whether media and messages flow in both directions. */
  get healthy(): boolean {
    return (
      !this.#rejoinNeeded && !this.#stalled && this.#link.state === "connected" && this.#link.channel.open
    );
  }

  /** The service can only be reached by a new link. */
  get rejoinNeeded(): boolean {
    return this.#rejoinNeeded;
  }

  /** Sends a message; false when the channel is not open. */
  send(message: ClientMessage): boolean {
    this.events.emit("sent", message);
    return this.#link.channel.send(message);
  }

  /** Connects for the first time: with the answer to the link's offer, or without one through ICE servers. Throws VisavisError. */
  async connect(answer: Answer | null): Promise<void> {
    if (answer) await this.#link.accept(answer);
    else await this.#restart();
    this.events.emit("answered", undefined);
    this.events.emit("stream", this.#link.stream);
    if (!(await this.untilSound(answer ? directLimitMs : indirectLimitMs))) {
      const { connectOtherwise } = await import("./recovery.ts");
      await connectOtherwise(this, answer !== null);
    }
    this.#established = true;
  }

  /** The ICE servers; fetched if the session's creation returned none. */
  async iceServers(): Promise<IceServer[]> {
    if (!this.#iceServers.length) this.#iceServers = await this.relay.iceServers(this.signal);
    return this.#iceServers;
  }

  /** Replaces the present link, which is closed. */
  adopt(link: MediaLink): void {
    const { heardAtMs } = this.#link.channel;
    this.#link.close();
    this.#link = link;
    this.quiet = this.#rejoinNeeded = this.#stalled = false;
    this.#watch(link);
    this.events.emit("stream", link.stream);
    this.events.emit("channelopen", { rejoined: this.#established, heardAtMs });
  }

  /** Resolves with true when the connection is healthy, with false when that can no longer be expected. */
  async untilSound(limitMs: number, link = this.#link): Promise<boolean> {
    const limit = AbortSignal.any([this.signal, AbortSignal.timeout(limitMs)]);
    const isSound = (): boolean =>
      link === this.#link ? this.healthy : link.state === "connected" && link.channel.open;
    return new Promise((resolve) => {
      const settle = (): void => {
        if (!isSound() && link.state !== "failed" && !limit.aborted) return;
        for (const stop of stops) stop();
        resolve(isSound());
      };
      const stops = [
        link.events.on("state", settle),
        link.channel.events.on("open", settle),
        link.channel.events.on("heard", settle),
      ];
      limit.addEventListener("abort", settle);
      settle();
    });
  }

  /** Waits at most so long. A change of the link or of the network ends the wait. */
  async pause(ms: number): Promise<void> {
    const { pauseOf } = await import("./recovery.ts");
    await pauseOf(this, ms);
  }

  handleAttempt(attempt: number, of: number): void {
    this.events.emit("attempt", { attempt, of });
  }

  close(): void {
    this.events.clear();
    this.#closing.abort();
    this.#link.close();
  }

  handleForeignAnswer(): void {
    this.#rejoinNeeded = true;
  }

  /** The channel is dead or the video is frozen: a new link is needed. */
  handleLinkFault(): void {
    this.#rejoinNeeded = true;
    this.#recover(0);
  }

  async #restart(): Promise<void> {
    const { restart } = await import("./recovery.ts");
    await restart(this, this.signal);
  }

  #watch(link: MediaLink): void {
    link.events.on("state", (state) => this.#handleState(state));
    link.channel.events.on("message", (message) => {
      if (message.type === "template") this.look = message.data;
      this.events.emit("message", message);
    });
    link.channel.events.on("heard", (heard) => void this.#handleHeard(heard));
    link.channel.events.on("stalled", () => void this.#handleStalled(link));
    link.channel.events.on("open", () =>
      this.events.emit("channelopen", { rejoined: false, heardAtMs: link.channel.heardAtMs }),
    );
    link.channel.events.on("lost", () => this.handleLinkFault());
  }

  async #handleHeard(heard: boolean): Promise<void> {
    if (heard && this.#stalled) {
      this.#stalled = false;
      this.wake?.();
    }
    this.events.emit("heard", heard);
    if (!heard) this.#packetsBefore = await this.#link.packetsReceived();
  }

  /** After a short outage the channel repeats its messages seconds later than sound and picture go on: then nothing is lost. */
  async #handleStalled(link: MediaLink): Promise<void> {
    const isAlive = (await link.packetsReceived()) > this.#packetsBefore;
    if (isAlive || !link.channel.quiet || link !== this.#link) return;
    this.#stalled = true;
    this.#recover(0);
  }

  #handleState(state: RTCPeerConnectionState): void {
    if (state === "connected") {
      this.wake?.();
      this.events.emit("connected", undefined);
    } else if (state === "disconnected") this.#recover(graceMs);
    else if (state === "failed") this.#recover(0);
  }

  #recover(waitMs: number): void {
    if (!this.#established) return;
    if (this.#recovering) return this.wake?.();
    this.#recovering = true;
    if (!this.quiet) this.events.emit("lost", undefined);
    void this.#runRecovery(waitMs);
  }

  /** Loads the recovery module. The connection may be lost before it was fetched, so the download is retried for a while. */
  async #fetchRecovery(): Promise<Pick<typeof recovery, "recover">> {
    const untilMs = performance.now() + recoveryLimitMs;
    for (;;) {
      try {
        return await import("./recovery.ts");
      } catch (error) {
        if (this.signal.aborted || performance.now() > untilMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, refetchMs));
      }
    }
  }

  async #runRecovery(waitMs: number): Promise<void> {
    try {
      const { recover } = await this.#fetchRecovery();
      await recover(this, waitMs);
      if (!this.signal.aborted) this.events.emit("restored", undefined);
    } catch (error) {
      if (!this.signal.aborted)
        this.events.emit("failed", VisavisError.from(error, "connection_failed", "The connection was lost."));
    } finally {
      this.#recovering = false;
    }
  }
}
