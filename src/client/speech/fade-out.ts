/** A voice that is cut at once clicks. It fades out in this time, in steps; both in ms. */
const fadeMs = 20;
const stepMs = 5;

/** What plays the avatar's sound, and its volume when the avatar is heard again. */
export interface HeardElement {
  readonly element: Pick<HTMLMediaElement, "volume">;
  readonly volume: number;
}

/** Lowers the volume to nothing. Returns what ends that, and gives the volume back. */
export function fadeOut(heard: HeardElement | null, whenSilent: () => void): () => void {
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
