import type { SherpaOutcome, StreamJob } from "./sherpa-messages.ts";
import { toFloats, type OnlineRecognizer, type OnlineStream } from "./sherpa-module.ts";

/** Streaming models give out the last words only when more sound follows. This much silence is enough. */
const closingSilenceSec = 0.6;

/** The streams of one streaming model, by their numbers. */
export class OpenStreams {
  readonly #recognizer: OnlineRecognizer;
  readonly #streams = new Map<number, OnlineStream>();

  constructor(recognizer: OnlineRecognizer) {
    this.#recognizer = recognizer;
  }

  /** Processes more speech of a stream, and returns everything that was recognized of it so far. */
  hear({ stream: id, opens, ends, pcm, sampleRateHz }: StreamJob): SherpaOutcome {
    const stream = opens ? this.#recognizer.createStream() : this.#streams.get(id);
    if (!stream)
      return { kind: "failed", detail: "The process that had the beginning of this speech has ended." };
    this.#streams.set(id, stream);
    if (pcm.length > 0) stream.acceptWaveform({ samples: toFloats(pcm), sampleRate: sampleRateHz });
    if (ends) {
      const silence = new Float32Array(Math.round(closingSilenceSec * sampleRateHz));
      stream.acceptWaveform({ samples: silence, sampleRate: sampleRateHz });
      stream.inputFinished();
      this.#streams.delete(id);
    }
    while (this.#recognizer.isReady(stream)) this.#recognizer.decode(stream);
    const { text } = this.#recognizer.getResult(stream);
    return { kind: "recognized", text: typeof text === "string" ? text : "", language: "" };
  }

  forget(id: number): SherpaOutcome {
    this.#streams.delete(id);
    return { kind: "forgotten" };
  }
}
