import type { IceServer } from "../protocol/ice.ts";
import { gatherCandidates } from "./ice-gathering.ts";
import { PeerLink } from "./peer-link.ts";
import type { ReconnectPolicy } from "./reconnect-policy.ts";
import type { SessionRelay } from "./relay-client.ts";
import { RelayFault } from "./relay-fault.ts";
import { VisavisError } from "./visavis-error.ts";

/** How long an attempt may take to bring sound and picture back, and the service to answer its offer. */
const attemptLimitMs = 5_000;
const answerLimitMs = 6_000;
/** After a rate limit's reset not all who wait come back at once. */
const jitterMs = 1_000;
/** Attempts that only restart ICE, which keeps speech going; later ones build a new link. */
const restarts = 2;

/** What restarting needs of a connection. */
export interface RestartableConnection {
  readonly relay: SessionRelay;
  /** Aborts when the connection is closed. */
  readonly signal: AbortSignal;
  readonly link: PeerLink;
  iceServers(): Promise<IceServer[]>;
  /** Another peer than before has answered: only a new link can reach it. */
  handleForeignAnswer(): void;
}

/** What recovery needs of a connection. */
export interface RecoverableConnection extends RestartableConnection {
  readonly policy: ReconnectPolicy;
  readonly sound: boolean;
  readonly rejoinNeeded: boolean;
  adopt(link: PeerLink): void;
  untilSound(limitMs: number, link?: PeerLink): Promise<boolean>;
  pause(ms: number): Promise<void>;
  handleAttempt(attempt: number): void;
}

/**
 * Brings a lost connection back: after the wait ICE restarts, then whole new links on the same session, by the policy's
 * ladder, but never before a rate limit's reset. The network's return cuts waits and attempts short. Resolves when the
 * connection is whole again or closed. Throws VisavisError: `session_lost` when the service does not know the session any
 * more, `connection_failed` when the policy gives up.
 */
export async function recover(connection: RecoverableConnection, waitMs: number): Promise<void> {
  const startedAtMs = performance.now();
  const { policy } = connection;
  let cause: unknown;
  let notBeforeMs = 0;
  /** The network has returned since the last attempt began: the next one follows at once. */
  const network = { returned: false };
  await connection.pause(waitMs);
  const isOver = (): boolean => connection.sound || connection.signal.aborted;
  for (let attempt = 1; !isOver(); attempt++) {
    const delayMs = policy.nextDelayMs({ attempt, elapsedMs: performance.now() - startedAtMs });
    if (delayMs === null) throw VisavisError.connectionFailed(cause);
    if (!network.returned) await connection.pause(delayMs);
    network.returned = false;
    while (!isOver() && performance.now() < notBeforeMs)
      await connection.pause(notBeforeMs - performance.now());
    if (isOver()) return;
    connection.handleAttempt(attempt);
    try {
      await attemptOnce(connection, attempt, () => (network.returned = true));
    } catch (error) {
      if (error instanceof RelayFault && error.final) throw VisavisError.sessionLost(error);
      if (error instanceof RelayFault && error.retryAfterMs > 0)
        notBeforeMs = error.retryAtMs + Math.random() * jitterMs;
      cause = error;
    }
  }
}

async function attemptOnce(
  connection: RecoverableConnection,
  attempt: number,
  handleReturn: () => void,
): Promise<void> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  // What is under way when the network returns left by the network that was.
  const handleOnline = (): void => {
    handleReturn();
    end();
  };
  addEventListener("online", handleOnline, { signal: ending.signal });
  try {
    const signal = AbortSignal.any([connection.signal, ending.signal, AbortSignal.timeout(answerLimitMs)]);
    if (connection.rejoinNeeded || attempt > restarts) await rejoin(connection, signal, attempt > restarts);
    else if (await restart(connection, signal)) await connection.untilSound(attemptLimitMs);
  } finally {
    end();
  }
}

/** ICE restart: fresh credentials and candidates, same peers. False where another peer answered. Throws VisavisError. */
export async function restart(connection: RestartableConnection, signal: AbortSignal): Promise<boolean> {
  const { link } = connection;
  await gatherOffer(link, await connection.iceServers(), signal);
  const answer = await connection.relay.exchange(link.localOffer, signal);
  const before = fingerprint(link.peerConnection.remoteDescription?.sdp);
  if (before && before !== fingerprint(answer.sdp)) {
    connection.handleForeignAnswer();
    return false;
  }
  await link.accept(answer);
  return true;
}

/** A new peer connection and exchange on the same session. `gathered`: with candidates in the offer. */
async function rejoin(
  connection: RecoverableConnection,
  signal: AbortSignal,
  gathered: boolean,
): Promise<void> {
  const link = new PeerLink(connection.link.stream.getVideoTracks().length > 0);
  try {
    if (gathered) await gatherOffer(link, await connection.iceServers(), signal);
    else await link.offer();
    await link.accept(await connection.relay.exchange(link.localOffer, signal));
    if (!(await connection.untilSound(attemptLimitMs, link))) throw VisavisError.connectionFailed();
  } catch (error) {
    link.close();
    throw error;
  }
  connection.adopt(link);
}

/** Makes an offer with fresh ICE credentials, through the given servers; resolves once a candidate that counts is in. */
async function gatherOffer(link: PeerLink, iceServers: IceServer[], signal: AbortSignal): Promise<void> {
  const { peerConnection } = link;
  peerConnection.setConfiguration({ iceServers: iceServers as RTCIceServer[] });
  const gathered = gatherCandidates(peerConnection, iceServers.length > 0, signal);
  await peerConnection.setLocalDescription(await peerConnection.createOffer({ iceRestart: true }));
  await gathered;
}

const fingerprint = (sdp: string | undefined): string | undefined =>
  /^a=fingerprint:(.*)$/m.exec(sdp ?? "")?.[1]?.trim();
