/** Calls back for each new frame of a video; the function returned stops that. */
export function watchFrames(video: HTMLVideoElement, onFrame: () => void): () => void {
  if (!("requestVideoFrameCallback" in video)) return watchByTime(video, onFrame);
  let handle = video.requestVideoFrameCallback(function next() {
    handle = video.requestVideoFrameCallback(next);
    onFrame();
  });
  return () => video.cancelVideoFrameCallback(handle);
}

/** Where the browser does not tell of frames, a changed time does. */
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
