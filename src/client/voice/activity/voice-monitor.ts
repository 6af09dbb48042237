import fvadUrl from "@echogarden/fvad-wasm/fvad.wasm?url&no-inline";
import { TypedEvents } from "../../typed-events.ts";
import { followedLevel, shownLevel } from "./level.ts";
import workletUrl from "./voice-activity.worklet.ts?worker&url";

/** 10 ms of the microphone. `rms` is the effective value, 1 at full scale. */
export interface VoiceFrame {
  readonly rms: number;
  readonly isVoiced: boolean;
  /** It is voiced and has a pitch. */
  readonly isVowel: boolean;
}

/** libfvad, compiled. Null where the page's policy allows no WebAssembly: then the worklet decides by the level alone. */
let compiled: Promise<WebAssembly.Module | null> | null = null;

async function compile(): Promise<WebAssembly.Module | null> {
  try {
    return await WebAssembly.compileStreaming(fetch(fvadUrl));
  } catch {
    return null;
  }
}

/** Watches the microphone: how loud it is, and, in an audio worklet, whether there is a voice. */
export class VoiceMonitor {
  readonly events = new TypedEvents<{ frame: VoiceFrame }>();
  readonly #context = new AudioContext();
  readonly #analyser = this.#context.createAnalyser();
  readonly #samples: Float32Array<ArrayBuffer>;
  #source: MediaStreamAudioSourceNode | null = null;
  #node: Promise<AudioWorkletNode> | null = null;
  #level = 0;
  #readAtMs = performance.now();

  constructor() {
    this.#analyser.fftSize = 1_024;
    this.#samples = new Float32Array(this.#analyser.fftSize);
  }

  /** Watches this track from now on. */
  listen(track: MediaStreamTrack): void {
    this.#source?.disconnect();
    const source = (this.#source = this.#context.createMediaStreamSource(new MediaStream([track])));
    source.connect(this.#analyser);
    void this.#node?.then((node) => source.connect(node));
    // In a gesture it runs already.
    void this.#context.resume();
  }

  /** Begins to look for a voice: `frame` is emitted every 10 ms. Rejects when the page does not allow the worklet. */
  async detect(): Promise<void> {
    const source = this.#source;
    const node = await (this.#node ??= this.#makeNode());
    if (source && source === this.#source) source.connect(node);
  }

  /** The present level, 0 to 1. */
  get level(): number {
    this.#analyser.getFloatTimeDomainData(this.#samples);
    const rms = Math.sqrt(
      this.#samples.reduce((sum, value) => sum + value * value, 0) / this.#samples.length,
    );
    const nowMs = performance.now();
    this.#level = followedLevel(this.#level, shownLevel(rms), nowMs - this.#readAtMs);
    this.#readAtMs = nowMs;
    return this.#level;
  }

  close(): void {
    this.events.clear();
    this.#source?.disconnect();
    void this.#context.close();
  }

  async #makeNode(): Promise<AudioWorkletNode> {
    compiled ??= compile();
    const [fvad] = await Promise.all([compiled, this.#context.audioWorklet.addModule(workletUrl)]);
    const node = new AudioWorkletNode(this.#context, "visavis-voice-activity", {
      numberOfOutputs: 0,
      channelCount: 1,
      channelCountMode: "explicit",
      processorOptions: { fvad },
    });
    node.port.onmessage = ({ data }: MessageEvent<VoiceFrame>) => this.events.emit("frame", data);
    return node;
  }
}
