import type { Logger } from "../../../logging/logger.ts";
import { errorMessage } from "../../faults/error-message.ts";
import { LRUCache } from "lru-cache";
import { startThread } from "../../speech/workers/pool-worker.ts";
import { WorkerPool } from "../../speech/workers/worker-pool.ts";
import type { EncodeSentences, Vector } from "./vectors.ts";

/** So many texts are encoded at once. In between, questions get their turn. */
const textsAtOnce = 8;
/** Hundreds of sentences take a second. This limit stops a job that never ends. */
const jobTimeoutMs = 60_000;
/** How much is kept, in characters of texts and bytes of their vectors, which have half a kilobyte each. */
const keptSize = 16_000_000;

/** Encodes sentences in a thread of its own, which starts with the first one. */
export interface EncoderThread {
  encode: EncodeSentences;
  close(): Promise<void>;
}

/** Takes the URL of the built script `encoder-worker`. Where it fails, nothing is encoded, and texts are found by their words alone. */
export function createEncoderThread(workerUrl: URL, log: Pick<Logger, "warn">): EncoderThread {
  const pool = new WorkerPool<string[], readonly Vector[]>({
    start: () => startThread(workerUrl, null),
    size: 1,
    jobTimeoutMs,
  });
  const known = new LRUCache<string, Vector>({
    maxSize: keptSize,
    sizeCalculation: (vector, text) => vector.length + text.length,
  });

  async function encodeUnknown(texts: readonly string[]): Promise<void> {
    const some = texts.slice(0, textsAtOnce);
    if (some.length === 0) return;
    const vectors = await pool.run([...some]);
    for (const [at, text] of some.entries()) {
      const vector = vectors[at];
      if (vector) known.set(text, vector);
    }
    await encodeUnknown(texts.slice(textsAtOnce));
  }

  return {
    async encode(texts) {
      const found = new Map<string, Vector>();
      for (const text of texts) {
        const vector = known.get(text);
        if (vector) found.set(text, vector);
      }
      try {
        await encodeUnknown([...new Set(texts)].filter((text) => !found.has(text)));
      } catch (error) {
        log.warn("sentence encoder fault", { detail: errorMessage(error) });
        return [];
      }
      return texts.flatMap((text) => found.get(text) ?? known.get(text) ?? []);
    },
    close: () => pool.close(),
  };
}
