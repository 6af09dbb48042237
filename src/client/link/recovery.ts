import type { IceServer } from "../../protocol/session/ice.ts";
import type { ConnectionHost } from "./connection-host.ts";
import type { HttpLink } from "../http-voice/http-link.ts";
import type { MediaLink } from "./media-link.ts";
import { PeerLink } from "./peer-link.ts";
import type { SessionRelay } from "../relay/relay-client.ts";
import { RelayFault } from "../relay/relay-fault.ts";
import { VisavisError } from "../visavis-error.ts";

/** Longest wait for a candidate, in ms. The offer is then sent with what is there. */
const gatheringLimitMs = 3_000;

/**
 * Resolves when there is a candidate that crosses firewalls and NATs (relay or server reflexive), when gathering is
 * complete, after 3 s, or on abort. Without servers no such candidate can come, so the first host candidate is enough.
 * Call it before the local description is set.
 */
export async function gatherCandidates(
  peerConnection: RTCPeerConnection,
  throughServers: boolean,
  signal: AbortSignal,
): Promise<void> {
  const listening = new AbortController();
  await new Promise<void>((resolve) => {
    const limit = AbortSignal.timeout(gatheringLimitMs);
    const options = { signal: listening.signal };
    limit.addEventListener("abort", () => resolve(), options);
    signal.addEventListener("abort", () => resolve(), options);
    peerConnection.addEventListener(
      "icecandidate",
      ({ candidate }) => {
        if (!candidate || isEnough(candidate, throughServers)) resolve();
      },
      options,
    );
  });
  listening.abort();
}

function isEnough(candidate: RTCIceCandidate, throughServers: boolean): boolean {
  if (!throughServers) return candidate.protocol === "udp";
  return candidate.type === "relay" || candidate.type === "srflx";
}

/** When to try again. Attempts count from 1. Null: give up. */
export interface ReconnectPolicy {
  /** The largest number of attempts, for "2 of 10". */
  readonly maxAttempts: number;
  nextDelayMs(context: { attempt: number; elapsedMs: number }): number | null;
}

/** Even if each attempt fails at once, these delays fill the whole time limit. */
const ladderMs = [0, 300, 1_200, 2_700, 4_800, 7_000, 7_000, 7_000, 7_000, 7_000, 7_000, 7_000] as const;
const limitMs = 60_000;

/** At once, then with growing delays and from the third attempt with jitter. Gives up after 60 s. */
export const defaultReconnectPolicy: ReconnectPolicy = {
  maxAttempts: ladderMs.length,
  nextDelayMs({ attempt, elapsedMs }) {
    const delayMs = ladderMs[attempt - 1];
    if (delayMs === undefined || elapsedMs >= limitMs) return null;
    return attempt < 3 ? delayMs : delayMs + Math.random() * jitterMs;
  },
};

/** How long an attempt may take until media flows again, including the service's answer to the offer. */
const attemptLimitMs = 5_000;
const answerLimitMs = 6_000;
/** How long ICE servers are tried after the direct path has failed. */
const indirectLimitMs = 6_000;
/** Random extra wait after a rate limit's reset, so that clients do not all retry at once. */
const jitterMs = 1_000;
/** The average wait between attempts while the service restarts. */
const restartPauseMs = 1_000;
/** Number of attempts that only restart ICE, which does not interrupt speech. Later ones make a new link. */
const restarts = 2;

/** What a restart needs from a connection. */
export interface RestartableConnection {
  readonly relay: SessionRelay;
  /** Aborts when the connection is closed. */
  readonly signal: AbortSignal;
  readonly link: MediaLink;
  iceServers(): Promise<IceServer[]>;
  /** Another peer has answered, which only a new link can reach. */
  handleForeignAnswer(): void;
}

/** What recovery needs from a connection. */
export interface RecoverableConnection extends RestartableConnection {
  /** Default: the client's own. */
  readonly policy?: ReconnectPolicy;
  /** The service restarts, and nobody is told of it yet. */
  readonly quiet: boolean;
  readonly healthy: boolean;
  readonly host: ConnectionHost;
  readonly rejoinNeeded: boolean;
  adopt(link: MediaLink): void;
  untilSound(limitMs: number, link?: MediaLink): Promise<boolean>;
  pause(ms: number): Promise<void>;
  handleAttempt(attempt: number, of: number): void;
}

/**
 * Recovers a lost connection: first by ICE restarts, then by new links on the same session. The policy sets the waits, and
 * no attempt is made before a rate limit's reset. When the network returns, the present wait or attempt ends and the next
 * attempt begins. Resolves when the connection is healthy or closed. Throws VisavisError: `session_lost` when the service no
 * longer knows the session, `connection_failed` when the policy gives up.
 */
export async function recover(connection: RecoverableConnection, waitMs: number): Promise<void> {
  await awaitRestart(connection);
  const startedAtMs = performance.now();
  const { policy = defaultReconnectPolicy } = connection;
  let cause: unknown;
  let notBeforeMs = 0;
  /** The network has returned since the last attempt began, so the next one follows at once. */
  const network = { returned: false };
  await connection.pause(waitMs);
  const isOver = (): boolean => connection.healthy || connection.signal.aborted;
  for (let attempt = 1; !isOver(); attempt++) {
    const delayMs = policy.nextDelayMs({ attempt, elapsedMs: performance.now() - startedAtMs });
    if (delayMs === null) return goOnOverHttp(connection, cause);
    if (!network.returned) await connection.pause(delayMs);
    network.returned = false;
    while (!isOver() && performance.now() < notBeforeMs)
      await connection.pause(notBeforeMs - performance.now());
    if (isOver()) return;
    connection.handleAttempt(attempt, policy.maxAttempts);
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

/**
 * Tries new links while the service restarts. The waits are random, so that not all clients come at the same moment. Throws
 * VisavisError `session_lost`.
 */
async function awaitRestart(connection: RecoverableConnection): Promise<void> {
  for (let attempt = 1; connection.quiet && !connection.signal.aborted; attempt++) {
    await connection.pause(restartPauseMs * (0.5 + Math.random()));
    // Every second offer waits for candidates, which some networks need.
    await attemptOnce(connection, attempt % 2 ? 1 : restarts + 1, () => undefined).catch((error: unknown) => {
      if (error instanceof RelayFault && error.final) throw VisavisError.sessionLost(error);
    });
  }
}

async function attemptOnce(
  connection: RecoverableConnection,
  attempt: number,
  handleReturn: () => void,
): Promise<void> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  // When the network returns, the present attempt still uses the old network path.
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

/**
 * Connects for the first time where the direct path has failed (`isDirect`), or all have: tries the others, at last requests in place of
 * a peer connection. Throws VisavisError.
 */
export async function connectOtherwise(connection: RecoverableConnection, isDirect: boolean): Promise<void> {
  const { signal } = connection;
  if (isDirect && !signal.aborted) {
    await restart(connection, signal);
    if (await connection.untilSound(indirectLimitMs)) return;
  }
  await goOnOverHttp(connection);
}

async function goOnOverHttp(connection: RecoverableConnection, cause?: unknown): Promise<void> {
  const { continueOverHttp } = await import("../http-voice/over-http.ts");
  await continueOverHttp(connection, cause);
}

/** What takes the place of a peer connection. */
export async function httpLink(relay: SessionRelay, host: ConnectionHost): Promise<HttpLink> {
  const { HttpLink } = await import("../http-voice/http-link.ts");
  return new HttpLink(relay, host);
}

/** ICE restart: new credentials and candidates, same peers. False if another peer answered. Throws VisavisError. */
export async function restart(connection: RestartableConnection, signal: AbortSignal): Promise<boolean> {
  const { link } = connection;
  if (link.peerConnection === null) {
    link.open();
    return true;
  }
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

/** A new peer connection and exchange on the same session. `gathered`: the offer contains candidates. */
async function rejoin(
  connection: RecoverableConnection,
  signal: AbortSignal,
  gathered: boolean,
): Promise<void> {
  const link = new PeerLink((connection.link.stream?.getVideoTracks().length ?? 0) > 0);
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

/** What can end a pause. */
interface Pausing {
  readonly signal: AbortSignal;
  wake: (() => void) | null;
}

/** Waits at most so long. A change of the link or of the network ends the wait. */
export async function pauseOf(connection: Pausing, ms: number): Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    const wake = (): void => {
      clearTimeout(timer);
      resolve();
    };
    connection.wake = wake;
    addEventListener("online", wake, { signal });
    connection.signal.addEventListener("abort", wake, { signal });
  });
  ending.abort();
  connection.wake = null;
}

/** Makes an offer with new ICE credentials and the given servers. Resolves when a usable candidate is there. */
async function gatherOffer(link: PeerLink, iceServers: IceServer[], signal: AbortSignal): Promise<void> {
  const { peerConnection } = link;
  peerConnection.setConfiguration({ iceServers: iceServers as RTCIceServer[] });
  const gathered = gatherCandidates(peerConnection, iceServers.length > 0, signal);
  await peerConnection.setLocalDescription(await peerConnection.createOffer({ iceRestart: true }));
  await gathered;
}

const fingerprint = (sdp: string | undefined): string | undefined =>
  /^a=fingerprint:(.*)$/m.exec(sdp ?? "")?.[1]?.trim();
