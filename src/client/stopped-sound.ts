import type { Conversation } from "./conversation.ts";

/** How long sound of a stopped speech may still be on its way to the visitor, in ms. */
const onItsWayMs = 500;
/** A voice that is cut at once clicks. It fades out in this time, in steps; both in ms. */
const fadeMs = 20;
const stepMs = 5;

/** What plays the avatar's sound, and its volume when the avatar is heard again. */
interface HeardElement {
  readonly element: Pick<HTMLMediaElement, "volume">;
  readonly volume: number;
}

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

/** Lowers the volume to nothing. Returns what ends that, and gives the volume back. */
function fadeOut(heard: HeardElement | null, whenSilent: () => void): () => void {
  if (!heard) {
    whenSilent();
    return () => undefined;
  }
  const { element, volume } = heard;
  const before = element.volume;
  let elapsedMs = 0;
  let set = before;
  /** Not if somebody else has set the volume meanwhile. Some browsers let nobody set it. */
  const change = (next: number): void => {
    if (element.volume === set) element.volume = set = next;
  };
  const lower = (): void => {
    elapsedMs += stepMs;
    change(before * Math.cos((Math.PI / 2) * Math.min(elapsedMs / fadeMs, 1)) ** 2);
    if (elapsedMs < fadeMs) return;
    clearInterval(timer);
    whenSilent();
  };
  const timer = setInterval(lower, stepMs);
  lower();
  return () => {
    clearInterval(timer);
    change(volume);
  };
}
