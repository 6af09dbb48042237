/** Longest wait for a candidate; what is there by then has to do. */
const gatheringLimitMs = 3_000;

/**
 * Resolves when a candidate that crosses a firewall or a NAT (relay or server reflexive) is in, when gathering is
 * complete, after 3 s, or on abort. Without servers there is nothing of that kind to wait for: the first host
 * candidate is enough. Call it before the local description is set.
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
