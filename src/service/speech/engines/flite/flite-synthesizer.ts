import { canShift, fliteVoices, loadFlite } from "./flite-program.ts";
import type { FliteJob, FliteOutcome, FliteWorkerData } from "./flite-worker-messages.ts";
import { ExpectedWords } from "./expected-words.ts";
import { Pronunciations } from "./pronunciations.ts";
import { holdsQuestion, risingQuestions } from "./rising-questions.ts";
import { SharedWork } from "./shared-work.ts";
import { SpeechError } from "../../speech-error.ts";
import { mannerKey, mannerOf, repitched } from "../../synthesis/speech-manner.ts";
import { SpeechMemory } from "../../synthesis/speech-memory.ts";
import { speechPieces, spokenTextOf } from "./speech-pieces.ts";
import type { Speech, SpeechRequest, SpeechSynthesizer } from "../../speech-synthesizer.ts";
import { spokenTokens, type SpokenToken } from "./spoken-text.ts";
import { spokenParagraphs, textParagraphs, trimmedParagraphs } from "../../synthesis/paragraphs.ts";
import { silentUtterance, utteranceOf } from "./utterance.ts";
import { trimmedSpeech } from "../../synthesis/trimmed-speech.ts";
import { startThread } from "../../workers/pool-worker.ts";
import { WorkerPool, type JobOptions } from "../../workers/worker-pool.ts";

/** A piece of at most 300 characters takes about 0.4 s. This limit stops one that never ends. */
const pieceTimeoutMs = 20_000;

const defaultWorkers = 2;

/** Options of the Flite engine. */
export interface FliteOptions {
  /** The URL of the built script `flite-worker`. */
  workerUrl: URL;
  /** How many threads speak at once. Default 2. */
  workers?: number | undefined;
}

/** The Flite engine: English, offline. It takes no memory until it is prepared or used. */
export interface FliteSynthesizer extends SpeechSynthesizer {
  prepare(first?: SpeechRequest): void;
  /**
   * Starts one thread and lets it speak once, so that no visitor waits for that. Further threads take 50 MB each and start when
   * several texts are spoken at once. Happens once; a later call resolves when it is done.
   */
  warm(): Promise<void>;
}

/** Speaks English with Flite in worker threads. The speech has no leading silence. */
export function createFliteSynthesizer(options: FliteOptions): FliteSynthesizer {
  const size = options.workers ?? defaultWorkers;
  let pool: FlitePool | undefined;
  const poolOf = (): FlitePool => (pool ??= startPool(options.workerUrl, size));
  const remembered = new SpeechMemory();
  const shared = new SharedWork<Speech>();
  const pronunciations = new Pronunciations((words, session) => pronounce(poolOf(), words, session));

  const expected = new ExpectedWords((words) => pronunciations.of(words));

  /** Somebody speaks: a rehearsal would only keep the threads busy. */
  let isUsed = false;
  const warm = untilDone(() => rehearse(poolOf(), pronunciations, () => isUsed));

  const speakAll = async (request: SpeechRequest, text: string, signal: AbortSignal): Promise<Speech> => {
    const { voice, session } = request;
    // A few at a time, so that the queue does not grow with the text.
    const speech = await spokenParagraphs(paragraphPieces(text), size, (piece) =>
      speakPiece({ pool: poolOf(), pronunciations }, piece, request, { session, signal }),
    );
    remembered.set(mannerKey(voice, mannerOf(request)), text, speech);
    return speech;
  };

  const synthesize = async (request: SpeechRequest): Promise<Speech> => {
    const { text: written, voice, session = "", signal } = request;
    signal?.throwIfAborted();
    requireVoice(voice);
    isUsed = true;
    const text = trimmedParagraphs(written);
    const manner = mannerKey(voice, mannerOf(request));
    const known = remembered.get(manner, text);
    if (known) return known;
    // Sessions do not share work, because one would wait in the queue of the other. What is being prepared is there for all.
    const prepared = ` ${manner} ${text}`;
    const key = shared.has(prepared) ? prepared : session + prepared;
    return shared.run(key, (givenUp) => speakAll(request, text, givenUp), signal);
  };

  return {
    voices: fliteVoices,
    remembers: true,
    // An error here happens again when somebody speaks, and is reported then.
    prepare: (first) => void (first ? synthesize(first) : warm()).catch(() => undefined),
    expect: (text) => expected.add(text),
    synthesize,
    warm,
    async close(): Promise<void> {
      expected.stop();
      await pool?.close();
    },
  };
}

/** Speaks a piece of a text. */
async function speakPiece(
  { pool, pronunciations }: { pool: FlitePool; pronunciations: Pronunciations },
  tokens: SpokenToken[],
  request: SpeechRequest,
  order: Pick<JobOptions, "session" | "signal">,
): Promise<Speech> {
  const text = spokenTextOf(tokens);
  if (text === "") return silentUtterance(tokens);
  // Another thread finds the pronunciations while this one speaks the words.
  const [outcome, phones] = await Promise.all([
    runJob(pool, speakJob(tokens, request), { ...order, cost: text.length }),
    pronunciations.of(
      tokens.map(({ spoken }) => spoken),
      order.session,
    ),
  ]);
  if (outcome.type !== "speak")
    throw SpeechError.engineFailed("The speech engine answered with the wrong kind of result.");
  const speech = trimmedSpeech(utteranceOf(tokens, outcome.speech, phones));
  return canShift(request.voice) ? speech : repitched(speech, mannerOf(request).pitch);
}

/** The pieces of each paragraph. Throws SpeechError as `spokenTokens` does. */
function paragraphPieces(text: string): SpokenToken[][][] {
  const tokens = spokenTokens(text);
  let taken = 0;
  return textParagraphs(text).map((paragraph) => {
    const count = paragraph.match(/\S+/gu)?.length ?? 0;
    return speechPieces(tokens.slice(taken, (taken += count)));
  });
}

/** The job of speaking these words. A voice whose pitch Flite cannot change speaks slower instead, and is then played faster. */
function speakJob(
  tokens: readonly SpokenToken[],
  { voice, ...request }: Pick<SpeechRequest, "voice" | "rate" | "pitch">,
): FliteJob & { type: "speak" } {
  const { rate, pitch } = mannerOf(request);
  const isPitched = canShift(voice);
  const isMarkup = isPitched && holdsQuestion(tokens);
  return {
    type: "speak",
    text: isMarkup ? risingQuestions(tokens) : spokenTextOf(tokens),
    isMarkup,
    voice,
    stretch: (isPitched ? 1 : pitch) / rate,
    shift: isPitched ? pitch : 1,
  };
}

function requireVoice(voice: string): void {
  if (!fliteVoices.some((known) => known === voice))
    throw SpeechError.engineFailed(`Flite has no voice "${voice}"; it has ${fliteVoices.join(", ")}.`);
}

async function pronounce(pool: FlitePool, words: readonly string[], session: string | undefined) {
  const outcome = await runJob(pool, { type: "pronounce", words }, { session, cost: words.length });
  return outcome.type === "pronounce" ? outcome.pronunciations : undefined;
}

/**
 * Prepares one thread. It pronounces words first and speaks afterwards, so that no second thread starts: each takes 30 MB. Work
 * that is no longer needed, because somebody speaks already, is left out.
 */
async function rehearse(
  pool: FlitePool,
  pronunciations: Pronunciations,
  isUsed: () => boolean,
): Promise<void> {
  const tokens = spokenTokens("Good morning, how may I help you today?");
  if (!isUsed()) await pronunciations.of(tokens.map(({ spoken }) => spoken));
  if (!isUsed()) await runJob(pool, speakJob(tokens, { voice: "slt" }));
}

/** Does work once. Work that failed is done again at the next call. */
function untilDone(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () =>
    (done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    }));
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
