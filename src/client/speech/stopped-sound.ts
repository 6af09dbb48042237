import type { Conversation } from "../conversation/conversation.ts";
import { fadeOut, type HeardElement } from "./fade-out.ts";

/** How long sound of a stopped speech may still be on its way to the visitor, in ms. */
const onItsWayMs = 500;

interface HeardStream {
  getAudioTracks(): Pick<MediaStreamTrack, "enabled">[];
}

/** Streams that are silenced at the moment. */
const silenced = new WeakSet<HeardStream>();

/**
 * Silences an avatar that has been stopped: what it had begun to say is still on its way through the network and the browser's
 * buffer. It fades out within 20 ms, and is heard again when it speaks again.
 */
export function silenceStopped(
  { speech }: Pick<Conversation, "speech">,
  stream: HeardStream,
  heard: HeardElement | null,
): void {
  // One interruption may stop several texts.
  if (silenced.has(stream)) return;
  silenced.add(stream);
  const setHeard = (isHeard: boolean): void => {
    for (const track of stream.getAudioTracks()) track.enabled = isHeard;
  };
  const restore = fadeOut(heard, () => setHeard(false));
  const end = (): void => {
    clearTimeout(timer);
    stopListening?.();
    silenced.delete(stream);
    setHeard(true);
    restore();
  };
  const timer = setTimeout(end, onItsWayMs);
  const stopListening = speech?.events.on("change", () => {
    if (speech.speaking) end();
  });
}
