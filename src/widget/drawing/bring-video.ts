import type { AvatarConnection } from "../../client/link/avatar-connection.ts";
import { hasVideo } from "./has-video.ts";

/** How often the video is asked for again, when the connection is busy. */
const againMs = 1_000;
/** How long its first frame is waited for. */
const frameWithinMs = 5_000;
const lookMs = 20;

/**
 * Lets the service draw from now on. Resolves when the video's first frame is there, or is not to be expected any more; `isDropped`
 * tells that nobody waits for it any longer.
 */
export async function bringVideo(
  connection: AvatarConnection,
  video: () => HTMLVideoElement | null,
  isDropped: () => boolean,
): Promise<void> {
  const decoded = (): number => video()?.getVideoPlaybackQuality().totalVideoFrames ?? 0;
  const isOver = (): boolean => connection.signal.aborted || isDropped();
  const before = decoded();
  while (!isOver() && !hasVideo(connection))
    await import("../../client/link/video-switch.ts")
      .then(({ switchVideo }) => switchVideo(connection, true))
      .catch(() => pause(againMs));
  const untilMs = performance.now() + frameWithinMs;
  while (!isOver() && decoded() <= before && performance.now() < untilMs) await pause(lookMs);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
