import type { AvatarConnection } from "./avatar-connection.ts";

/**
 * Receives the session's video, or no longer receives it, by another exchange on the same peer connection: sound and messages go on.
 * Rejects when the service cannot be asked, or while another exchange goes on; then nothing has changed.
 */
export async function switchVideo(connection: AvatarConnection, isWanted: boolean): Promise<void> {
  const { link, relay, signal } = connection;
  if (link.peerConnection === null || !connection.healthy || link.peerConnection.signalingState !== "stable")
    throw new Error("The connection is busy.");
  const { peerConnection, stream } = link;
  const isVideo = ({ receiver }: RTCRtpTransceiver): boolean => receiver.track.kind === "video";
  const transceiver =
    peerConnection.getTransceivers().find(isVideo) ??
    peerConnection.addTransceiver("video", { direction: "inactive" });
  const { track } = transceiver.receiver;
  transceiver.direction = isWanted ? "recvonly" : "inactive";
  try {
    await link.accept(await relay.exchange(await link.offer(), signal));
  } catch (error) {
    transceiver.direction = isWanted ? "inactive" : "recvonly";
    if (!signal.aborted) await peerConnection.setLocalDescription({ type: "rollback" });
    throw error;
  }
  // A new link has video if this one has a video track.
  if (isWanted) stream.addTrack(track);
  else stream.removeTrack(track);
}
