/** Calls `onFrame` for each new frame of a video. The returned function stops the calls. */
export function watchFrames(video: HTMLVideoElement, onFrame: () => void): () => void {
  if (!("requestVideoFrameCallback" in video)) return watchByTime(video, onFrame);
  let handle = video.requestVideoFrameCallback(function next() {
    handle = video.requestVideoFrameCallback(next);
    onFrame();
  });
  return () => video.cancelVideoFrameCallback(handle);
}

/** For browsers without frame callbacks: a changed playback time means a new frame. */
function watchByTime(video: HTMLVideoElement, onFrame: () => void): () => void {
  let seenSec = -1;
  let handle = requestAnimationFrame(function next() {
    handle = requestAnimationFrame(next);
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.currentTime === seenSec) return;
    seenSec = video.currentTime;
    onFrame();
  });
  return () => cancelAnimationFrame(handle);
}
