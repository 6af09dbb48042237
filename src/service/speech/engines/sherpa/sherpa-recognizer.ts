import { abortReason } from "../../../faults/error-message.ts";
import type { JobShare } from "../../workers/fair-queue.ts";
import type { WorkerPool } from "../../workers/worker-pool.ts";
import type {
  Recognition,
  RecognitionStream,
  RecognitionStreamRequest,
  SpeechRecognizer,
} from "../../speech-recognizer.ts";
import type { SherpaJob, SherpaOutcome } from "./sherpa-messages.ts";
import { modelProcess, type SherpaProgram, type SherpaSettings } from "./sherpa-program.ts";

/**
 * Text as people write it. Some models were trained on text in capitals, and say "HOW ARE YOU". Text with any small letter, or in
 * a script without capitals, stays as it is.
 */
export function readableText(recognized: string): string {
  const text = recognized.trim();
  if (!/\p{Lu}{2}/u.test(text) || /\p{Ll}/u.test(text)) return text;
  return text
    .toLowerCase()
    .replace(/^\P{L}*\p{L}/u, (start) => start.toUpperCase())
    .replace(/(?<![\p{L}'])i(?![\p{L}])/gu, "I");
}

/** When speech waits longer than this for the model, the stream fails: the model is too slow for this machine. */
const longestWaitSec = 60;

/** What a stream of a model needs. */
interface SherpaStreamOptions {
  model: WorkerPool<SherpaJob, SherpaOutcome>;
  /** The stream's number, which no other stream of the model has. */
  id: number;
  locale: string | null;
  request: RecognitionStreamRequest;
}

/**
 * One stream of a streaming model. It has one job at a time: what is written meanwhile goes into the next one, so a busy model
 * gets fewer and longer pieces instead of a longer queue.
 */
class SherpaStream implements RecognitionStream {
  readonly #options: SherpaStreamOptions;
  readonly #result: Promise<Recognition>;
  #resolve!: (recognition: Recognition) => void;
  #reject!: (reason: Error) => void;
  #waiting: Int16Array[] = [];
  #waitingSamples = 0;
  #heard = "";
  #isOpened = false;
  #isEnding = false;
  #isClosed = false;
  #isRunning = false;

  constructor(options: SherpaStreamOptions) {
    this.#options = options;
    this.#result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // A caller that discards a stream does not wait for its end.
    this.#result.catch(() => undefined);
    const { signal } = options.request;
    if (signal?.aborted) this.#fail(abortReason(signal));
    else signal?.addEventListener("abort", this.#abort, { once: true });
  }

  write(pcm: Int16Array): void {
    if (this.#isClosed || this.#isEnding || pcm.length === 0) return;
    this.#waiting.push(pcm.slice());
    this.#waitingSamples += pcm.length;
    if (this.#isRunning && this.#waitingSamples > longestWaitSec * this.#options.request.sampleRateHz)
      this.#fail(new Error("The model is too slow to recognize speech while it is spoken."));
    else void this.#run();
  }

  end(): Promise<Recognition> {
    this.#isEnding = true;
    void this.#run();
    return this.#result;
  }

  readonly #abort = (): void => {
    const { signal } = this.#options.request;
    if (signal) this.#fail(abortReason(signal));
  };

  /** Sends waiting speech to the model until none is left. */
  async #run(): Promise<void> {
    if (this.#isRunning || this.#isClosed) return;
    this.#isRunning = true;
    try {
      while (this.#hasWork()) await this.#hear();
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
    this.#isRunning = false;
  }

  #hasWork(): boolean {
    return !this.#isClosed && (this.#waiting.length > 0 || this.#isEnding);
  }

  async #hear(): Promise<void> {
    const { model, id, request } = this.#options;
    const [opens, ends] = [!this.#isOpened, this.#isEnding];
    const pcm = this.#takeWaiting();
    this.#isOpened = true;
    const job = { kind: "stream" as const, stream: id, opens, ends, pcm, sampleRateHz: request.sampleRateHz };
    const outcome = await model.run(job, this.#share());
    if (this.#isClosed) return;
    if (outcome.kind !== "recognized")
      throw new Error(
        outcome.kind === "failed" ? outcome.detail : "The model gave an answer of another kind.",
      );
    const text = readableText(outcome.text);
    if (ends) this.#settle(text);
    else if (text !== this.#heard) {
      this.#heard = text;
      request.onPartial(text);
    }
  }

  #share(): JobShare {
    return { session: this.#options.request.session };
  }

  #takeWaiting(): Int16Array {
    const pcm = new Int16Array(this.#waitingSamples);
    let at = 0;
    for (const piece of this.#waiting) {
      pcm.set(piece, at);
      at += piece.length;
    }
    this.#waiting = [];
    this.#waitingSamples = 0;
    return pcm;
  }

  #settle(text: string): void {
    this.#close();
    this.#resolve({ text, locale: this.#options.locale });
  }

  #fail(reason: Error): void {
    if (this.#isClosed) return;
    this.#close();
    this.#reject(reason);
    // The process keeps a stream until it ends. If it has died, there is nothing to forget.
    const { model, id } = this.#options;
    if (this.#isOpened) model.run({ kind: "forget", stream: id }, this.#share()).catch(() => undefined);
  }

  #close(): void {
    this.#isClosed = true;
    this.#waiting = [];
    this.#waitingSamples = 0;
    this.#options.request.signal?.removeEventListener("abort", this.#abort);
  }
}

/** Recognizes whole recordings with a model of sherpa-onnx, which is loaded at the first request. */
function recordingRecognizer(program: SherpaProgram, settings: SherpaSettings): SpeechRecognizer {
  const model = modelProcess(program, settings);
  return {
    isLocal: true,
    async recognize({ pcm, sampleRateHz, session, signal }) {
      const outcome = await model.run({ kind: "recognize", pcm, sampleRateHz }, { session, signal });
      if (outcome.kind !== "recognized")
        throw new Error(
          outcome.kind === "failed" ? outcome.detail : "The model gave an answer of another kind.",
        );
      const { text, language } = outcome;
      const heardIn = language.replace(/[^A-Za-z-]/g, "");
      return { text: readableText(text), locale: settings.locale ?? (heardIn === "" ? null : heardIn) };
    },
    close: () => model.close(),
  };
}

/** Recognizes speech while it is spoken, with a streaming model. A whole recording is a stream with one piece. */
function streamingRecognizer(program: SherpaProgram, settings: SherpaSettings): SpeechRecognizer {
  const model = modelProcess(program, settings);
  let streams = 0;
  const openStream = (request: RecognitionStreamRequest) =>
    new SherpaStream({ model, id: ++streams, locale: settings.locale, request });
  return {
    recognize({ pcm, ...request }) {
      const stream = openStream({ ...request, onPartial: () => undefined });
      stream.write(pcm);
      return stream.end();
    },
    openStream,
    close: () => model.close(),
  };
}

/** Recognizes speech with a model of sherpa-onnx, which is loaded at the first request. */
export function createSherpaRecognizer(program: SherpaProgram, settings: SherpaSettings): SpeechRecognizer {
  return settings.streaming ? streamingRecognizer(program, settings) : recordingRecognizer(program, settings);
}
