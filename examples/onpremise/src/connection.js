import { readSpeechParts } from "./speech-parts.js";

const pingEveryMs = 1_000;

/**
 * Connects with a session: sound and messages, no video. `handleSpeech` gets the notice of each speech that begins, `handleTimeline` what
 * to draw of it.
 */
export async function connect(sessionId, { handleSpeech, handleTimeline }) {
  const peer = new RTCPeerConnection();
  const { receiver } = peer.addTransceiver("audio", { direction: "recvonly" });
  const channel = peer.createDataChannel("message", { protocol: "message" });
  const send = (type, data = {}) => channel.send(JSON.stringify({ type, data }));
  const opened = new Promise((resolve) => channel.addEventListener("open", resolve));
  channel.addEventListener("message", ({ data }) => {
    const message = JSON.parse(data);
    // Without a duration the text could not be spoken.
    if (message.type !== "stf" || message.data.duration === 0) return;
    handleSpeech(message.data);
    // Until the channel of parts is open, the notice has all.
    if (message.data.visemes) handleTimeline(message.data, performance.now());
  });

  await peer.setLocalDescription(await peer.createOffer());
  await gathered(peer);
  const answer = await fetch(`/sessions/${sessionId}/exchange`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ client_sdp: { type: "offer", sdp: peer.localDescription.sdp } }),
  });
  const { server_sdp } = await answer.json();
  await peer.setRemoteDescription(server_sdp);
  await opened;
  // Opened before the first speech, it gets all timelines. Without order, no part waits for another one that was lost.
  readSpeechParts(peer.createDataChannel("speech", { ordered: false }), handleTimeline);
  // A session without a sign of life ends.
  setInterval(() => send("ping"), pingEveryMs);

  let delayMs = 60;
  setInterval(async () => (delayMs = (await bufferDelayMs(receiver)) ?? delayMs), pingEveryMs);
  return {
    stream: new MediaStream([receiver.track]),
    say: (message) => send("ttstf", { message }),
    soundDelayMs: () => delayMs,
  };
}

async function gathered(peer) {
  while (peer.iceGatheringState !== "complete")
    await new Promise((resolve) => peer.addEventListener("icegatheringstatechange", resolve, { once: true }));
}

/** How long the browser holds sound back before it plays it. */
async function bufferDelayMs(receiver) {
  for (const stats of (await receiver.getStats()).values())
    if (stats.type === "inbound-rtp" && stats.jitterBufferEmittedCount > 0)
      return (stats.jitterBufferDelay / stats.jitterBufferEmittedCount) * 1_000;
  return null;
}
