import { LRUCache } from "lru-cache";
import { type SpokenToken, spokenTokens } from "./spoken-text.ts";
import { canShift, fliteVoices, loadFlite } from "./flite-program.ts";
import type { FliteJob, FliteOutcome, FliteWorkerData } from "./flite-worker-messages.ts";
import { ExpectedWords } from "./expected-words.ts";
import { SharedWork } from "./shared-work.ts";
import { SpeechError } from "../../speech-error.ts";
import { mannerKey, mannerOf, repitched, trimmedSpeech } from "../../synthesis/speech-samples.ts";
import { SpeechMemory } from "../../synthesis/speech-memory.ts";
import { speechPieces, spokenTextOf } from "./speech-pieces.ts";
import type { Speech, SpeechRequest, SpeechSynthesizer } from "../../speech-synthesizer.ts";
import { spokenParagraphs, textParagraphs, trimmedParagraphs } from "../../synthesis/paragraphs.ts";
import { silentUtterance, utteranceOf } from "./utterance.ts";
import { startThread } from "../../workers/pool-worker.ts";
import { type JobOptions, WorkerPool } from "../../workers/worker-pool.ts";

/** How many words are remembered. Visitors hear the same words again and again. */
const rememberedWords = 5_000;

/** Finds the phones of each word, for a session or the service itself; undefined when the engine cannot. */
type AskPronunciations = (
  words: readonly string[],
  session: string | undefined,
) => Promise<string[][] | undefined>;

/** Pronunciations of single words. The engine is called once per word. */
class Pronunciations {
  readonly #ask: AskPronunciations;
  readonly #known = new LRUCache<string, string[]>({ max: rememberedWords });

  constructor(ask: AskPronunciations) {
    this.#ask = ask;
  }

  /** The phones of each word; its letters when the engine has none. `session`: the session of the request. */
  async of(spoken: readonly string[], session?: string): Promise<string[][]> {
    const keys = spoken.map(pronunciationKey);
    const unknown = [...new Set(keys)].filter((key) => key !== "" && !this.#known.has(key));
    const answers = new Map<string, string[]>();
    if (unknown.length > 0) {
      const words = unknown.map((key) => key.replaceAll(" ", "-"));
      const phones = await this.#ask(words, session);
      for (const [index, key] of unknown.entries()) {
        const sounds = phones?.[index];
        if (sounds) answers.set(key, sounds);
      }
    }
    const pronounced = keys.map((key) =>
      key === "" ? [] : (answers.get(key) ?? this.#known.get(key) ?? key.toLowerCase().split("")),
    );
    for (const [key, phones] of answers) this.#known.set(key, phones);
    return pronounced;
  }
}

/** The part of a word that decides its sounds: without the punctuation around it. */
function pronunciationKey(spoken: string): string {
  return spoken.replace(/^[^A-Za-z0-9$&%@+=]+|(?<![^A-Za-z0-9$&%@+=])[^A-Za-z0-9$&%@+=]+$/g, "");
}

/** How much the voice rises on the last word of a question, and on the word before it. */
const lastRise = 1.22;
const earlierRise = 1.08;

/** A question that begins with one of these words falls at its end, so it rises less. */
const openQuestion = /^(?:who|whom|whose|what|when|where|why|which|how)\b/i;
const openRise = 1.08;

const questionEnd = /\?["')\]]*$/;
const sentenceEnd = /[.!?]["')\]]*$/;

/** Whether a question is among these words. */
function holdsQuestion(tokens: readonly SpokenToken[]): boolean {
  return tokens.some(({ spoken }) => questionEnd.test(spoken));
}

/** The words as SSML in which the voice rises at the ends of questions. */
export function risingQuestions(tokens: readonly SpokenToken[]): string {
  const words = tokens.map(({ spoken }) => spoken).filter((spoken) => spoken !== "");
  const rises = risesOf(words);
  const marked = words.map((word, i) => {
    // Spoken words have no angle brackets.
    const text = word.replaceAll("&", " and ");
    const rise = rises[i] ?? 1;
    return rise === 1 ? text : `<prosody pitch="${rise}">${text}</prosody>`;
  });
  return `<speak>${marked.join(" ")}</speak>`;
}

/** How much the voice rises on each word. */
function risesOf(words: readonly string[]): number[] {
  const rises = words.map(() => 1);
  let first = 0;
  words.forEach((word, i) => {
    if (!sentenceEnd.test(word)) return;
    if (questionEnd.test(word)) {
      const isOpen = openQuestion.test(words[first] ?? "");
      rises[i] = isOpen ? openRise : lastRise;
      if (!isOpen && i - 1 > first) rises[i - 1] = earlierRise;
    }
    first = i + 1;
  });
  return rises;
}

/** A piece of at most 300 characters takes about 0.4 s. This limit stops one that never ends. */
const pieceTimeoutMs = 20_000;

const defaultWorkers = 2;

/** Options of the Flite engine. */
interface FliteOptions {
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
