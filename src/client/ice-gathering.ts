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
