import fvadUrl from "@echogarden/fvad-wasm/fvad.wasm?url&no-inline";
import { TypedEvents } from "../../typed-events.ts";
import workletUrl from "./voice-activity.worklet.ts?worker&url";

/** Below this the meter shows nothing, at the upper limit all of it, in dB of full scale. */
const floorDb = -55;
const ceilingDb = -15;

/** How fast the level follows: up at once, down slowly, as the eye expects of a meter. In ms. */
const attackMs = 60;
const releaseMs = 240;

/** The level that is shown for an effective value of the sound, 0 to 1. */
function shownLevel(rms: number): number {
  const db = 20 * Math.log10(Math.max(rms, 1e-6));
  return Math.min(Math.max((db - floorDb) / (ceilingDb - floorDb), 0), 1);
}

/** The level after `elapsedMs` at which `heard` was measured. */
function followedLevel(level: number, heard: number, elapsedMs: number): number {
  const timeMs = heard > level ? attackMs : releaseMs;
  return heard + (level - heard) * Math.exp(-elapsedMs / timeMs);
}

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
    // A phone call or another application interrupts the context; after that the browser does not resume it by itself.
    this.#context.addEventListener("statechange", this.#resume);
    document.addEventListener("visibilitychange", this.#resume);
  }

  readonly #resume = (): void => {
    const { state } = this.#context;
    // While it is interrupted it rejects; its next change of state comes when that is over.
    if (state !== "running" && state !== "closed") this.#context.resume().catch(() => undefined);
  };

  /** Watches this track from now on. */
  listen(track: MediaStreamTrack): void {
    this.#source?.disconnect();
    const source = (this.#source = this.#context.createMediaStreamSource(new MediaStream([track])));
    source.connect(this.#analyser);
    void this.#node?.then((node) => source.connect(node));
    // In a gesture it runs already.
    this.#resume();
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
    document.removeEventListener("visibilitychange", this.#resume);
    this.#context.removeEventListener("statechange", this.#resume);
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
