import {
  type TimedWord,
  type TtsRequest,
  type TtsResponse,
  voiceFactorMax,
  voiceFactorMin,
} from "../../../protocol/speech/speech.ts";
import { type SpeechFaultCode, speechFaultCodes } from "../../../protocol/session/data-channel.ts";
import { drawnSpeech } from "../../drawn-speech.ts";
import { Fault, LimitExceeded, waitingPerSession } from "../../faults/fault.ts";
import type { SpeechOutcome } from "../../media/media-engine.ts";
import type { SessionRecord } from "../../store/store.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import type { Speech } from "../../speech/speech-synthesizer.ts";
import { encodeWav } from "../../audio/wav-file.ts";
import { type NormalizationDependencies, normalizedForSession } from "./session-normalization.ts";
import { voiceForText } from "./session-voice.ts";

const bare = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Above this number of comparisons, words are matched by position alone. */
const maxComparisons = 4_000_000;

/** Lengths of the longest common subsequences of the remainders of two word lists: `table[i][j]` starts at i and j. */
function commonLengths(written: readonly string[], spoken: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: written.length + 1 }, () => new Uint16Array(spoken.length + 1));
  for (let i = written.length - 1; i >= 0; i--)
    for (let j = spoken.length - 1; j >= 0; j--)
      table[i]![j] =
        written[i] !== "" && written[i] === spoken[j]
          ? table[i + 1]![j + 1]! + 1
          : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
  return table;
}

/** Pairs of positions where both lists have the same word, in order, followed by the pair just behind both ends. */
function anchors(written: readonly string[], spoken: readonly string[]): [number, number][] {
  const pairs: [number, number][] = [];
  if (written.length * spoken.length <= maxComparisons) {
    const table = commonLengths(written, spoken);
    for (let i = 0, j = 0; i < written.length && j < spoken.length;) {
      if (written[i] !== "" && written[i] === spoken[j]) pairs.push([i++, j++]);
      else if (table[i + 1]![j]! >= table[i]![j + 1]!) i++;
      else j++;
    }
  }
  return [...pairs, [written.length, spoken.length]];
}

/** Distributes the time of some spoken words over the written ones, in proportion to their lengths. */
function distributed(written: readonly string[], startMs: number, endMs: number): TimedWord[] {
  const total = written.reduce((sum, word) => sum + word.length, 0);
  let before = 0;
  return written.map((text) => {
    const start = startMs + ((endMs - startMs) * before) / total;
    before += text.length;
    return { text, start, end: startMs + ((endMs - startMs) * before) / total };
  });
}

/**
 * The words of a message with their spoken times, in order. The caller's captions show them. Words that were spoken as written
 * keep their times; others ("$12") share the time of the spoken words at that position ("twelve dollars").
 */
export function writtenWords(message: string, spoken: readonly TimedWord[]): TimedWord[] {
  const written = message.split(/\s+/u).filter((word) => word !== "");
  const result: TimedWord[] = [];
  let [fromWritten, fromSpoken] = [0, 0];
  for (const [toWritten, toSpoken] of anchors(
    written.map(bare),
    spoken.map(({ text }) => bare(text)),
  )) {
    const startMs = spoken[fromSpoken]?.start ?? spoken.at(-1)?.end ?? 0;
    const endMs = toSpoken > fromSpoken ? spoken[toSpoken - 1]!.end : startMs;
    result.push(...distributed(written.slice(fromWritten, toWritten), startMs, endMs));
    const word = spoken[toSpoken];
    if (word) result.push({ ...word, text: written[toWritten]! });
    [fromWritten, fromSpoken] = [toWritten + 1, toSpoken + 1];
  }
  return result;
}

type SpeechDependencies = NormalizationDependencies & Pick<SessionDependencies, "synthesizer">;

interface Utterance {
  text: string;
  /** How fast the client wants it, times the owner's rate. */
  rate?: number | undefined;
  locale?: string | undefined;
  /** Whether to return an MP3 file if the voice's engine can make one. */
  mp3?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

function speechFaultCode(error: unknown): SpeechFaultCode {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return speechFaultCodes.find((known) => known === code) ?? "engine_failed";
}

/** The owner's rate times the client's, as far as voices can speak it. */
function commonRate(ownersRate: number | undefined, clientsRate = 1): number | undefined {
  if (clientsRate === 1) return ownersRate;
  const rate = Math.min(Math.max((ownersRate ?? 1) * clientsRate, voiceFactorMin), voiceFactorMax);
  // Equal wishes have equal numbers: speech is remembered by them.
  return Math.round(rate * 1_000) / 1_000;
}

/** The rate and pitch that the owner of the session's context has set, with the client's own rate. */
async function sessionManner(
  { store }: Pick<SessionDependencies, "store">,
  { organizationId, contextUuid }: SessionRecord,
  clientsRate: number | undefined,
): Promise<{ rate?: number | undefined; pitch?: number | undefined }> {
  const context = contextUuid === null ? null : await store.contexts.byUuid(organizationId, contextUuid);
  const { rate, pitch } = context?.config.voice ?? {};
  return { rate: commonRate(rate, clientsRate), pitch };
}

/** Speaks a text with the session's voice. Never rejects: text that cannot be spoken gets a code and a reason. */
export async function sessionSpeech(
  dependencies: SpeechDependencies,
  session: SessionRecord,
  utterance: Utterance,
): Promise<SpeechOutcome> {
  try {
    const request = (await dependencies.store.sessions.detail(session.id))?.request;
    const spoken = request && (await voiceForText(dependencies, session, request, utterance));
    if (!spoken) return { ok: false, code: "engine_failed", detail: "The session has no available voice." };
    if ("unspeakable" in spoken) return { ok: false, code: "unspeakable_text", detail: spoken.unspeakable };
    const { text, signal } = utterance;
    const said = await normalizedForSession(dependencies, session, request, {
      direction: "tts",
      text,
      signal,
    });
    const speech = await spoken.engine.synthesize({
      ...utterance,
      ...(await sessionManner(dependencies, session, utterance.rate)),
      text: said,
      voice: spoken.voice,
      session: session.id,
    });
    if (said === text) return { ok: true, speech };
    return { ok: true, speech: { ...speech, words: writtenWords(text, speech.words) } };
  } catch (error) {
    const detail = error instanceof Error ? error.message : "The speech engine failed.";
    return { ok: false, code: speechFaultCode(error), detail };
  }
}

/** The error for a session with too many texts waiting for its voice. */
function busyVoice(nowMs: number): LimitExceeded {
  return new LimitExceeded("pieces of texts waiting for a session's voice", waitingPerSession, nowMs + 1_000);
}

/** The speech as an audio file. */
function audioFile({ pcm, sampleRateHz, mp3 }: Speech): Pick<TtsResponse, "audio" | "format"> {
  if (mp3) return { audio: Buffer.from(mp3).toString("base64"), format: "mp3" };
  return { audio: encodeWav(pcm, sampleRateHz).toString("base64"), format: "wav" };
}

/** Answers POST …/tts/: base64 WAV, or MP3 if requested and available, with its words and visemes. Throws a Fault. */
export async function speakAloud(
  dependencies: SpeechDependencies,
  session: SessionRecord,
  { text, locale, output_format, rate }: TtsRequest,
  signal: AbortSignal,
): Promise<TtsResponse> {
  const detail = await dependencies.store.sessions.detail(session.id);
  if (detail?.request.tts_type === undefined)
    throw Fault.invalid("invalid", "This session was created without a tts_type.");
  const outcome = await sessionSpeech(dependencies, session, {
    text,
    locale,
    rate,
    mp3: output_format === "mp3",
    signal,
  });
  if (outcome.ok) {
    const { words } = outcome.speech;
    return { ...audioFile(outcome.speech), words, ...drawnSpeech(outcome.speech) };
  }
  if (outcome.code === "rate_limited") throw busyVoice(dependencies.clock.nowMs());
  if (outcome.code === "engine_failed") throw Fault.server("The speech engine failed.", outcome.detail);
  throw Fault.invalid(outcome.code === "text_too_long" ? "max_length" : "invalid", outcome.detail, "text");
}
