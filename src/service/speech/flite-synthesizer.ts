import { mapAtOnce } from "./at-once.ts";
import { fliteVoices, loadFlite } from "./flite-program.ts";
import type { FliteJob, FliteOutcome, FliteWorkerData } from "./flite-worker-messages.ts";
import { ExpectedWords } from "./expected-words.ts";
import { Pronunciations } from "./pronunciations.ts";
import { SharedWork } from "./shared-work.ts";
import { SpeechError } from "./speech-error.ts";
import { SpeechMemory } from "./speech-memory.ts";
import { speechPieces, spokenTextOf } from "./speech-pieces.ts";
import type { Speech, SpeechRequest, SpeechSynthesizer } from "./speech-synthesizer.ts";
import { spokenTokens, type SpokenToken } from "./spoken-text.ts";
import { joinPieces, silentUtterance, utteranceOf } from "./utterance.ts";
import { startThread } from "./pool-worker.ts";
import { WorkerPool, type JobOptions } from "./worker-pool.ts";

/** A piece of at most 300 characters takes about 0.4 s; this is for one that never ends. */
const pieceTimeoutMs = 20_000;

const defaultWorkers = 2;

/** What the Flite engine is made from. */
export interface FliteOptions {
  /** Where `flite-worker` lies, built as a script that Node runs. */
  workerUrl: URL;
  /** How many threads speak at once. Default 2. */
  workers?: number | undefined;
}

/** The Flite engine: English, offline, with a method to have it ready before the first request. */
export interface FliteSynthesizer extends SpeechSynthesizer {
  /**
   * Starts one thread and has it speak once, so that no visitor waits for it. The others, 50 MB each, start when several
   * texts are spoken at once.
   */
  warm(): Promise<void>;
}

/** Speaks English with Flite in worker threads. Its speech begins with its first sound, without leading silence. */
export function createFliteSynthesizer(options: FliteOptions): FliteSynthesizer {
  const size = options.workers ?? defaultWorkers;
  let pool: FlitePool | undefined;
  const poolOf = (): FlitePool => (pool ??= startPool(options.workerUrl, size));
  const remembered = new SpeechMemory();
  const shared = new SharedWork<Speech>();
  const pronunciations = new Pronunciations(async (words, session) => {
    const job = { type: "pronounce", words } as const;
    const outcome = await runJob(poolOf(), job, { session, cost: words.length });
    return outcome.type === "pronounce" ? outcome.pronunciations : undefined;
  });

  const expected = new ExpectedWords((words) => pronunciations.of(words));

  const speakPiece = async (
    tokens: SpokenToken[],
    voice: string,
    order: Pick<JobOptions, "session" | "signal">,
  ): Promise<Speech> => {
    const text = spokenTextOf(tokens);
    if (text === "") return silentUtterance(tokens);
    // Another thread finds out how the words sound while this one speaks them.
    const [outcome, phones] = await Promise.all([
      runJob(poolOf(), { type: "speak", text, voice }, { ...order, cost: text.length }),
      pronunciations.of(
        tokens.map(({ spoken }) => spoken),
        order.session,
      ),
    ]);
    if (outcome.type !== "speak") throw SpeechError.engineFailed("The speech engine answered nonsense.");
    return utteranceOf(tokens, outcome.speech, phones);
  };

  const speakAll = async (
    { voice, session }: SpeechRequest,
    text: string,
    signal: AbortSignal,
  ): Promise<Speech> => {
    const pieces = speechPieces(spokenTokens(text));
    // Not all at once: what waits is not to grow with the text.
    const spoken = await mapAtOnce(pieces, size, (piece) => speakPiece(piece, voice, { session, signal }));
    const speech = joinPieces(spoken);
    remembered.set(voice, text, speech);
    return speech;
  };

  return {
    voices: fliteVoices,
    remembers: true,
    expect: (text) => expected.add(text),
    async synthesize(request: SpeechRequest): Promise<Speech> {
      const { text: written, voice, session = "", signal } = request;
      signal?.throwIfAborted();
      if (!(fliteVoices as readonly string[]).includes(voice)) {
        throw SpeechError.engineFailed(`Flite has no voice "${voice}"; it has ${fliteVoices.join(", ")}.`);
      }
      const text = written.trim();
      const known = remembered.get(voice, text);
      if (known) return known;
      // Not shared among sessions: one would wait in the other's line.
      return shared.run(`${session} ${voice} ${text}`, (givenUp) => speakAll(request, text, givenUp), signal);
    },
    async warm(): Promise<void> {
      const tokens = spokenTokens("Good morning, how may I help you today?");
      // One after the other, so that one thread does both: a thread takes 30 MB.
      await pronunciations.of(tokens.map(({ spoken }) => spoken));
      const text = spokenTextOf(tokens);
      await runJob(poolOf(), { type: "speak", text, voice: "slt", isRehearsal: true });
    },
    async close(): Promise<void> {
      expected.stop();
      await pool?.close();
    },
  };
}

type FlitePool = WorkerPool<FliteJob, FliteOutcome>;

async function runJob(
  pool: FlitePool,
  job: FliteJob,
  options: JobOptions = {},
): Promise<FliteOutcome & { ok: true }> {
  const outcome = await pool.run(job, options).catch((error: unknown) => {
    options.signal?.throwIfAborted();
    throw SpeechError.ofWorker(error);
  });
  if (!outcome.ok) throw SpeechError.engineFailed(`The speech engine failed: ${outcome.detail}`);
  return outcome;
}

function startPool(workerUrl: URL, size: number): FlitePool {
  const workerData: FliteWorkerData = { flite: loadFlite() };
  return new WorkerPool({
    start: () => startThread(workerUrl, workerData),
    size,
    jobTimeoutMs: pieceTimeoutMs,
  });
}
