import type { IceServer } from "../protocol/ice.ts";
import { PeerLink } from "./peer-link.ts";
import type { ReconnectPolicy } from "./reconnect-policy.ts";
import type { SessionRelay } from "./relay-client.ts";
import { RelayFault } from "./relay-fault.ts";
import { VisavisError } from "./visavis-error.ts";

/** How long an attempt may take to bring sound and picture back. */
const attemptLimitMs = 5_000;
/** Attempts that only restart ICE, which keeps speech going; later ones build a new link. */
const restarts = 2;

/** What recovery needs of a connection. */
export interface RecoverableConnection {
  readonly relay: SessionRelay;
  readonly policy: ReconnectPolicy;
  /** Aborts when the connection is closed. */
  readonly signal: AbortSignal;
  readonly link: PeerLink;
  readonly sound: boolean;
  readonly rejoinNeeded: boolean;
  iceServers(): Promise<IceServer[]>;
  restart(): Promise<void>;
  adopt(link: PeerLink): void;
  untilSound(limitMs: number, link?: PeerLink): Promise<boolean>;
  pause(ms: number): Promise<void>;
  handleAttempt(attempt: number): void;
}

/**
 * Brings a lost connection back: after the wait ICE restarts, then whole new links on the same session, by the policy's
 * ladder. Resolves when it is sound again or closed. Throws VisavisError: `session_lost` when the service does not know
 * the session any more, `connection_failed` when the policy gives up.
 */
export async function recover(connection: RecoverableConnection, waitMs: number): Promise<void> {
  const startedAtMs = performance.now();
  const { policy } = connection;
  let cause: unknown;
  await connection.pause(waitMs);
  const isOver = (): boolean => connection.sound || connection.signal.aborted;
  for (let attempt = 1; !isOver(); attempt++) {
    const delayMs = policy.nextDelayMs({ attempt, elapsedMs: performance.now() - startedAtMs });
    if (delayMs === null) throw VisavisError.connectionFailed(cause);
    await connection.pause(delayMs);
    if (isOver()) return;
    connection.handleAttempt(attempt);
    try {
      if (connection.rejoinNeeded || attempt > restarts) await rejoin(connection, attempt > restarts);
      else
        await connection
          .restart()
          .then(() => connection.rejoinNeeded || connection.untilSound(attemptLimitMs));
    } catch (error) {
      if (error instanceof RelayFault && error.final) throw VisavisError.sessionLost(error);
      cause = error;
    }
  }
}

/** A new peer connection and exchange on the same session. `gathered`: with candidates in the offer. */
async function rejoin(connection: RecoverableConnection, gathered: boolean): Promise<void> {
  const { signal, relay } = connection;
  const link = new PeerLink(connection.link.stream.getVideoTracks().length > 0);
  try {
    const offer = gathered
      ? await link.gatheredOffer(await connection.iceServers(), signal)
      : await link.offer();
    await link.accept(await relay.exchange(offer, signal));
    if (!(await connection.untilSound(attemptLimitMs, link))) throw VisavisError.connectionFailed();
  } catch (error) {
    link.close();
    throw error;
  }
  connection.adopt(link);
}
