/** Adds functions to the page that measure its sound. */
export function addEars(): void {
  const context = new AudioContext({ latencyHint: "interactive" });
  const levelOf = (track: MediaStreamTrack): (() => number) => {
    const analyser = context.createAnalyser();
    analyser.fftSize = 256;
    context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
    const wave = new Float32Array(analyser.fftSize);
    return () => {
      analyser.getFloatTimeDomainData(wave);
      return Math.max(...wave.map(Math.abs));
    };
  };
  const video = document.querySelector("visavis-avatar")!.shadowRoot!.querySelector("video")!;
  const received = levelOf((video.srcObject as MediaStream).getAudioTracks()[0]!);
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const ears = {
    resume: () => context.resume(),
    levelOf,
    /** What the visitor hears, with the element's volume. */
    heard: () => received() * video.volume,
    volume: () => video.volume,
    pause,
    async until(test: () => boolean, forMs = 0): Promise<number> {
      const beganMs = performance.now();
      let sinceMs = beganMs;
      for (;;) {
        const nowMs = performance.now();
        if (!test()) sinceMs = nowMs;
        else if (nowMs - sinceMs >= forMs) return sinceMs;
        if (nowMs - beganMs > 30_000) throw new Error("The condition was not met within 30 s.");
        await pause(2);
      }
    },
  };
  Object.assign(globalThis, { ears });
}

declare global {
  /** What `addEars` gives the page. */
  var ears: {
    resume(): Promise<void>;
    levelOf(track: MediaStreamTrack): () => number;
    heard(): number;
    volume(): number;
    pause(ms: number): Promise<void>;
    /** Waits until the test has been true for this long. Resolves with the time since which it has been true. */
    until(test: () => boolean, forMs?: number): Promise<number>;
  };
}

/** Samples above this level count as audible. */
export const audible = 0.003;
