import wrtc from "@roamhq/wrtc";

const samplesPerFrame = 480;

/** A microphone that plays the given samples, at 48 kHz in real time, and silence otherwise. */
export class ClientMicrophone {
  readonly #source = new wrtc.nonstandard.RTCAudioSource();
  readonly track = this.#source.createTrack();
  #queue: Int16Array = new Int16Array();
  #onHeard: (() => void) | undefined;
  #sentFrames = 0;

  constructor() {
    const startedAt = performance.now();
    setInterval(() => {
      while (this.#sentFrames * 10 <= performance.now() - startedAt) this.#sendFrame();
    }, 5);
  }

  /** Plays the samples. Resolves when the last one was sent. */
  hear(pcm: Int16Array): Promise<void> {
    this.#queue = pcm;
    return new Promise((resolve) => (this.#onHeard = resolve));
  }

  #sendFrame(): void {
    this.#sentFrames++;
    const samples = new Int16Array(samplesPerFrame);
    samples.set(this.#queue.subarray(0, samplesPerFrame));
    this.#queue = this.#queue.subarray(samplesPerFrame);
    this.#source.onData({
      samples,
      sampleRate: samplesPerFrame * 100,
      bitsPerSample: 16,
      channelCount: 1,
      numberOfFrames: samplesPerFrame,
    });
    if (this.#queue.length > 0) return;
    this.#onHeard?.();
    this.#onHeard = undefined;
  }
}
