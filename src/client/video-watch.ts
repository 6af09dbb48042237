import type { AvatarConnection } from "./avatar-connection.ts";

const lookEveryMs = 1_000;
/** After so many checks in a row without a new frame the video counts as frozen. */
const stalledAfter = 5;

/**
 * Watches for frozen video while everything else works. A link counts as frozen only after it has shown frames, so that a
 * link that never shows any is not replaced again and again. Nothing is watched while no video is sent, as for a hidden page.
 */
export function watchVideo(connection: AvatarConnection, signal: AbortSignal, isSent: () => boolean): void {
  let watched = connection.link;
  let framesSeen = 0;
  let still = 0;
  const timer = setInterval(() => void look(), lookEveryMs);
  signal.addEventListener("abort", () => clearInterval(timer));

  async function look(): Promise<void> {
    const { link } = connection;
    // Sentences that are asked for one by one do not freeze.
    if (!link.peerConnection) return;
    const frames = await framesDecoded(link.peerConnection);
    if (link !== watched) [watched, framesSeen, still] = [link, 0, 0];
    // After an outage, the picture goes on with the next whole frame, which may take its time.
    const isReceived = link.stream.getVideoTracks().length > 0;
    const isExpected = connection.healthy && !link.channel.quiet && isReceived && isSent();
    const isStill = frames === framesSeen && frames > 0 && isExpected;
    still = isStill ? still + 1 : 0;
    framesSeen = frames;
    if (still < stalledAfter || signal.aborted) return;
    framesSeen = 0;
    still = 0;
    connection.handleLinkFault();
  }
}

/** Number of video frames decoded so far; 0 without video. */
async function framesDecoded(peerConnection: RTCPeerConnection): Promise<number> {
  let frames = 0;
  const report = await peerConnection.getStats();
  report.forEach(({ type, kind, framesDecoded }: Partial<RTCInboundRtpStreamStats>) => {
    if (type === "inbound-rtp" && kind === "video") frames = framesDecoded ?? 0;
  });
  return frames;
}
