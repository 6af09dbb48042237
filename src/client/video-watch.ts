import type { AvatarConnection } from "./avatar-connection.ts";

const lookEveryMs = 1_000;
/** Looks in a row without a new frame that make a fault. */
const stalledAfter = 5;

/**
 * Watches for a picture that stands still while everything else arrives. Only a link that has shown frames can stall, so a
 * link that never shows any is not replaced again and again. Hidden pages are not watched: browsers may stop decoding there.
 */
export function watchVideo(connection: AvatarConnection, signal: AbortSignal): void {
  let watched = connection.link;
  let framesSeen = 0;
  let still = 0;
  const timer = setInterval(() => void look(), lookEveryMs);
  signal.addEventListener("abort", () => clearInterval(timer));

  async function look(): Promise<void> {
    const { link } = connection;
    const frames = await framesDecoded(link.peerConnection);
    if (link !== watched) [watched, framesSeen, still] = [link, 0, 0];
    const isStill = frames === framesSeen && frames > 0 && connection.sound && !document.hidden;
    still = isStill ? still + 1 : 0;
    framesSeen = frames;
    if (still < stalledAfter || signal.aborted) return;
    framesSeen = 0;
    still = 0;
    connection.handleLinkFault();
  }
}

/** Frames of video decoded so far; 0 where there is no video. */
async function framesDecoded(peerConnection: RTCPeerConnection): Promise<number> {
  const report = (await peerConnection.getStats()) as unknown as Map<string, Record<string, unknown>>;
  for (const entry of report.values())
    if (entry["type"] === "inbound-rtp" && entry["kind"] === "video")
      return Number(entry["framesDecoded"] ?? 0);
  return 0;
}
