import { LRUCache } from "lru-cache";
import { type Logger, sessionReference } from "../../../logging/logger.ts";
import type { Recording, RecordingPiece } from "../../media/media-engine.ts";
import type {
  Recognition,
  RecognitionStream,
  RecognitionStreamRequest,
} from "../../speech/speech-recognizer.ts";
import { availableParallelism } from "node:os";

/** After this long without a piece the recording is dropped, because its media process has died. In ms. */
const forgottenMs = 70_000;
/** The most recordings that are heard at once in this process. */
const heardMax = 200;

/** What a recording's stream is opened with. */
export type StreamWishes = Pick<RecognitionStreamRequest, "onPartial"> & { signal: AbortSignal };

/** Opens the stream of a recording; null if the session's recognizer cannot stream, or may not be used now. Never rejects. */
type OpenStream = (wishes: StreamWishes) => Promise<RecognitionStream | null>;

/** A recording that is being heard. */
interface Heard {
  readonly stream: Promise<RecognitionStream | null>;
  /** Discards the stream. */
  readonly abort: AbortController;
  /** What was understood so far. */
  words: string;
}

const keyOf = (sessionId: string, recordingId: string): string => `${sessionId} ${recordingId}`;

function hearFrom(open: OpenStream): Heard {
  const abort = new AbortController();
  const heard: Heard = {
    stream: open({ signal: abort.signal, onPartial: (text) => (heard.words = text) }),
    abort,
    words: "",
  };
  return heard;
}

/** The recordings that recognizers hear while they go on. */
export class RecordingsHeard {
  readonly #log: Pick<Logger, "warn">;
  readonly #heard = new LRUCache<string, Heard>({
    max: heardMax,
    ttl: forgottenMs,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose: ({ abort }, _key, reason) => {
      if (reason === "evict" || reason === "expire") abort.abort();
    },
  });

  constructor(log: Pick<Logger, "warn">) {
    this.#log = log;
  }

  /** Gives a piece to its recording's stream. Resolves with what was understood so far; null if there is no stream. Never rejects. */
  async hear(
    sessionId: string,
    { recordingId, pcm, isDropped }: RecordingPiece,
    open: OpenStream,
  ): Promise<string | null> {
    const key = keyOf(sessionId, recordingId);
    if (isDropped) {
      this.#take(key)?.abort.abort();
      return null;
    }
    const known = this.#heard.get(key);
    const heard = known ?? hearFrom(open);
    if (!known) this.#heard.set(key, heard);
    const stream = await heard.stream;
    stream?.write(pcm);
    return stream && heard.words;
  }

  /**
   * Ends a recording. Resolves with its text; null if it was not heard, or its stream has failed: then the whole of it has to be
   * recognized. Never rejects.
   */
  async finish(
    sessionId: string,
    { heard, pcm }: Recording,
    signal: AbortSignal,
  ): Promise<Recognition | null> {
    const taken = heard && this.#take(keyOf(sessionId, heard.recordingId));
    const stream = await taken?.stream;
    if (!taken || !stream) return null;
    const discard = (): void => taken.abort.abort();
    signal.addEventListener("abort", discard);
    try {
      stream.write(pcm.subarray(heard.samples));
      return await stream.end();
    } catch (error) {
      const detail = { session: sessionReference(sessionId), error: String(error) };
      if (!signal.aborted) this.#log.warn("recognition while speaking failed", detail);
      return null;
    } finally {
      signal.removeEventListener("abort", discard);
    }
  }

  #take(key: string): Heard | undefined {
    const heard = this.#heard.get(key);
    this.#heard.delete(key);
    return heard;
  }
}

/** The most of them at once: half of the processors stay free. */
const runningMax = Math.max(1, Math.floor(availableParallelism() / 2));

/** Recognitions that may turn out to be needless. They run only while no other one does, so that nobody waits for them. */
export class SpeculativeRecognitions {
  readonly #runningMax: number;
  #running = 0;
  #certain = 0;

  constructor(max = runningMax) {
    this.#runningMax = max;
  }

  /** Whether one may run now. */
  get mayRun(): boolean {
    return this.#certain === 0 && this.#running < this.#runningMax;
  }

  /** Runs one. */
  async run<Result>(recognize: () => Promise<Result>): Promise<Result> {
    this.#running++;
    try {
      return await recognize();
    } finally {
      this.#running--;
    }
  }

  /** Runs a recognition that is needed. */
  async runCertain<Result>(recognize: () => Promise<Result>): Promise<Result> {
    this.#certain++;
    try {
      return await recognize();
    } finally {
      this.#certain--;
    }
  }
}
