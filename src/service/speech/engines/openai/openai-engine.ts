import { setTimeout as elapse } from "node:timers/promises";
import * as z from "zod";
import {
  engineAddressSchema,
  isAzureAddress,
  keyVariableSchema,
  missingAddress,
} from "../../../engines/engine-address.ts";
import { headerValueSchema } from "../../../header-value.ts";
import {
  type RecognizerContext,
  type SpeechEngine,
  type SpeechEntry,
  timeoutSecSchema,
} from "../../speech-engine.ts";
import { withoutLastSlashes } from "../../../../protocol/last-slashes.ts";
import { serverWords, wordsOfBody } from "../../../outbound/server-words.ts";
import type { GuardedFetch, GuardedRequest } from "../../../outbound/guarded-fetch.ts";
import { GuardedFetchError } from "../../../outbound/guarded-fetch-error.ts";
import { encodeWav } from "../../../audio/wav-file.ts";
import { audioContainer, type AudioContainer, looksLikeMp3 } from "../../../audio/decode-audio.ts";
import { AudioError, type DecodedAudio } from "../../../audio/decoded-audio.ts";
import type { FileRecognitionRequest, Recognition, SpeechRecognizer } from "../../speech-recognizer.ts";
import type { AudioProcessor } from "../../audio/audio-processor.ts";
import { sentenceSynthesizer } from "../../synthesis/sentence-synthesizer.ts";
import { SpeechError } from "../../speech-error.ts";
import { mannerKey, mannerOf, repitched } from "../../synthesis/speech-samples.ts";
import { SpeechMemory } from "../../synthesis/speech-memory.ts";
import type { Speech, SpeechRequest, SpeechSynthesizer } from "../../speech-synthesizer.ts";
import { engineKey, engineVariable, missingKeyNotes } from "../../../engines/engine-key.ts";

/** The settings of a server with the OpenAI audio protocol. */
const openAiSettingsSchema = z.object({
  type: z.literal("openai").default("openai"),
  /** Up to and including `/v1`; required for all servers except OpenAI itself. */
  base_url: engineAddressSchema.optional(),
  api_key: headerValueSchema.optional(),
  /** The environment variable that holds the key. */
  api_key_env: keyVariableSchema.optional(),
  model: z.string().min(1).optional(),
  voice: z.string().min(1).optional(),
  response_format: z.enum(["wav", "mp3", "pcm"]).default("wav"),
  timeout_sec: timeoutSecSchema,
});

/** How to use a server of the OpenAI protocol. */
type OpenAiSettings = z.infer<typeof openAiSettingsSchema>;

/** Access to a server with the OpenAI protocol. */
interface OpenAiAccess {
  fetch: GuardedFetch;
  /** Up to and including `/v1`; it may have a query. */
  baseUrl: string;
  settings: OpenAiSettings;
  apiKey: string | undefined;
  /** The entry is one of Azure's, which takes its key in a header of its own. */
  isAzure: boolean;
}

/** The largest response, in bytes: ten minutes of 24 kHz audio. */
const answerMaxBytes = 32 * 1024 * 1024;
/** The largest transcription, in bytes: all of it is parsed at once. */
const transcriptionMaxBytes = 2 * 1024 * 1024;

/** The server answered with an error status. `says`: in its words, for the owner. */
class OpenAiStatusError extends Error {
  override readonly name = "OpenAiStatusError";

  constructor(
    readonly status: number,
    readonly says: string | null,
  ) {
    super(`The engine answered with status ${status}.`);
  }
}

/** The server answered with success, but with something else than what was asked for. `says`: in its words, for the owner. */
class OpenAiAnswerError extends Error {
  override readonly name = "OpenAiAnswerError";
  readonly says: string | null;

  constructor(missing: string, answer: unknown) {
    super(`The engine answered without ${missing}.`);
    this.says = serverWords(answer);
  }
}

/** The address of an operation. The base address may have a query, such as Azure's version. */
function operationUrl(baseUrl: string, path: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${withoutLastSlashes(url.pathname)}${path}`;
  return url.href;
}

/** So much of an error's body is read. */
const errorMaxCharacters = 16_384;

/** Calls one operation of the server. Rejects with OpenAiStatusError, or with the error of the fetch. */
async function callOpenAi(
  { fetch, baseUrl, settings, apiKey, isAzure }: OpenAiAccess,
  path: string,
  request: Pick<GuardedRequest, "body" | "headers" | "signal" | "maxBytes">,
): Promise<Response> {
  const headers = new Headers(request.headers);
  if (apiKey !== undefined && isAzure) headers.set("api-key", apiKey);
  else if (apiKey !== undefined) headers.set("authorization", `Bearer ${apiKey}`);
  const response = await fetch(operationUrl(baseUrl, path), {
    maxBytes: answerMaxBytes,
    ...request,
    method: "POST",
    headers,
    timeoutMs: settings.timeout_sec * 1_000,
  });
  if (response.ok) return response;
  const body = await response.text().catch(() => "");
  throw new OpenAiStatusError(response.status, wordsOfBody(body.slice(0, errorMaxCharacters)));
}

const textSchema = z.string().max(100_000);

/** A transcription. A text that is null has no words; some servers send only segments. */
const answerSchema = z
  .object({
    text: textSchema.nullish(),
    segments: z
      .array(z.object({ text: textSchema }))
      .optional()
      .catch(undefined),
    language: z.string().max(35).nullish().catch(null),
  })
  .refine(({ text, segments }) => text !== undefined || segments !== undefined);

/** What a server understood. Some answer with plain text although JSON is asked for. */
function recognitionIn(body: string, contentType: string | null): { text: string; language: string | null } {
  let answer: unknown = body;
  try {
    answer = JSON.parse(body);
  } catch {
    if (contentType?.startsWith("text/plain")) return { text: textSchema.parse(body), language: null };
  }
  const { data } = answerSchema.safeParse(answer);
  if (!data) throw new OpenAiAnswerError("a text", answer);
  const { text, segments = [], language = null } = data;
  return { text: text ?? segments.map((segment) => segment.text).join(" "), language };
}

const recognitionModel = "whisper-1";

/** The language without its region (ISO 639-1), as the protocol requires. */
function languageOf(language: string | undefined): string | undefined {
  return language === undefined ? undefined : /^[a-z]{2,3}/i.exec(language)?.[0].toLowerCase();
}

/** Statuses that mean that the file is the problem. */
const recognitionRefusals: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** Statuses of a server, or of what is before it, that is restarted or has too much to do at the moment. */
const passingStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** A recording is sent again after this time, in ms. */
const againMs = 500;

function isPassing(error: unknown): boolean {
  if (error instanceof OpenAiStatusError) return passingStatuses.has(error.status);
  return error instanceof GuardedFetchError && error.code === "unreachable";
}

interface Upload {
  file: Blob;
  name: string;
  language: string | undefined;
  signal: AbortSignal | undefined;
}

/** What a server understands. Where it cannot be reached at the moment it is asked once more: the visitor would have to speak again. */
async function transcription(
  access: OpenAiAccess,
  { file, name, language, signal }: Upload,
): Promise<Recognition> {
  const form = new FormData();
  form.append("file", file, name);
  form.append("model", access.settings.model ?? recognitionModel);
  form.append("response_format", "json");
  const asked = languageOf(language);
  if (asked !== undefined) form.append("language", asked);
  const limits = { signal, maxBytes: transcriptionMaxBytes };
  const ask = () => callOpenAi(access, "/audio/transcriptions", { body: form, ...limits });
  const response = await ask().catch(async (error: unknown) => {
    if (!isPassing(error)) throw error;
    await elapse(againMs, undefined, { signal });
    return ask();
  });
  const heard = recognitionIn(await response.text(), response.headers.get("content-type"));
  return { text: heard.text.trim(), locale: language ?? heard.language };
}

async function uploaded(
  access: OpenAiAccess,
  { name, extension, mediaType }: AudioContainer,
  { bytes, language, signal }: FileRecognitionRequest,
): Promise<Recognition> {
  const file = new Blob([new Uint8Array(bytes)], { type: mediaType });
  try {
    return await transcription(access, { file, name: `speech.${extension}`, language, signal });
  } catch (error) {
    if (!(error instanceof OpenAiStatusError) || !recognitionRefusals.has(error.status)) throw error;
    const message = `The session's engine cannot read this ${name} file; send WAV or MP3.`;
    throw new AudioError("unsupported", message, { cause: error });
  }
}

/** Recognizes speech with a server of the OpenAI protocol (POST /v1/audio/transcriptions). */
function createOpenAiRecognizer(access: OpenAiAccess): SpeechRecognizer {
  return {
    recognize({ pcm, sampleRateHz, language, signal }) {
      const file = new Blob([new Uint8Array(encodeWav(pcm, sampleRateHz))], { type: "audio/wav" });
      return transcription(access, { file, name: "speech.wav", language, signal });
    },
    recognizeFile(request) {
      const container = audioContainer(request.bytes);
      return container && uploaded(access, container, request);
    },
    close: () => Promise.resolve(),
  };
}

/** The sample rate of the protocol's `pcm` format: 16 bits, little-endian, one channel. */
const pcmRateHz = 24_000;

/** The fields of a row's `voice_settings` that are added to a request. */
const voiceSettingsSchema = z
  .object({ speed: z.number().min(0.25).max(4).optional(), instructions: z.string().max(4_000).optional() })
  .catch({});

/** Options of the engine. */
interface OpenAiSynthesizerOptions extends OpenAiAccess {
  audio: AudioProcessor;
  /** The row's own model, for settings that name none. */
  model: string | null;
  voiceSettings: unknown;
}

const defaultModel = "tts-1";

/** Statuses that mean that the server does not know the format. */
const refusals = [400, 415, 422];

function rawPcm(bytes: Uint8Array): DecodedAudio {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pcm = Int16Array.from({ length: Math.floor(bytes.length / 2) }, (_, index) =>
    view.getInt16(index * 2, true),
  );
  return { pcm, sampleRateHz: pcmRateHz };
}

/** What a server says in place of sound, as JSON; undefined: it sent something else. */
function jsonIn(bytes: Uint8Array, contentType: string | null): unknown {
  if (bytes[0] !== 0x7b && contentType?.startsWith("application/json") !== true) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes.subarray(0, 100_000)));
  } catch {
    return undefined;
  }
}

/**
 * Speaks with a server of the OpenAI protocol (POST /v1/audio/speech). Its audio has no timings, so they are estimated from the
 * text.
 */
export function createOpenAiSynthesizer(options: OpenAiSynthesizerOptions): SpeechSynthesizer {
  const { audio, settings, model, voiceSettings } = options;
  const [remembered, rememberedMp3] = [new SpeechMemory(), new SpeechMemory()];

  async function spoken(
    { text, voice, mp3, session, signal, ...request }: SpeechRequest,
    format: OpenAiSettings["response_format"],
  ): Promise<Speech> {
    const manner = mannerOf(request);
    // The protocol has no pitch: the voice speaks slower or faster, and is then played at another rate.
    const pace = manner.rate / manner.pitch;
    const own = voiceSettingsSchema.parse(voiceSettings ?? {});
    const body = JSON.stringify({
      ...own,
      ...(pace !== 1 && { speed: Math.min(4, Math.max(0.25, (own.speed ?? 1) * pace)) }),
      model: settings.model ?? model ?? defaultModel,
      voice: settings.voice ?? voice,
      input: text,
      response_format: format,
    });
    const headers = { "content-type": "application/json" };
    const response = await callOpenAi(options, "/audio/speech", { headers, body, signal });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const json = jsonIn(bytes, response.headers.get("content-type"));
    if (json !== undefined) throw new OpenAiAnswerError("sound", json);
    const decoded = format === "pcm" ? rawPcm(bytes) : await audio.decode(bytes, { session, signal });
    if (decoded.pcm.length === 0) throw new Error("The engine answered with no audio.");
    const finished = await audio.finish({ ...decoded, text }, { session, signal });
    const speech = repitched(finished, manner.pitch);
    return mp3 && looksLikeMp3(bytes) ? { ...speech, mp3: bytes } : speech;
  }

  /** Speaks as MP3 if the request asks for it. If the server has no MP3, the format is the entry's own. */
  async function spokenAsWanted(request: SpeechRequest): Promise<Speech> {
    const format = settings.response_format;
    if (!request.mp3 || format === "mp3") return spoken(request, format);
    return spoken(request, "mp3").catch((error: unknown) => {
      if (error instanceof OpenAiStatusError && refusals.includes(error.status))
        return spoken(request, format);
      throw error;
    });
  }

  const engine: SpeechSynthesizer = {
    voices: settings.voice === undefined ? [] : [settings.voice],
    async synthesize(request) {
      const { text, voice, mp3 = false, signal } = request;
      signal?.throwIfAborted();
      if (!/[\p{L}\p{N}]/u.test(text))
        throw SpeechError.unspeakable("The text has no word or number that could be spoken.");
      const memory = mp3 ? rememberedMp3 : remembered;
      const key = mannerKey(voice, mannerOf(request));
      const known = memory.get(key, text);
      if (known) return known;
      const speech = await spokenAsWanted(request).catch((error: unknown) => {
        signal?.throwIfAborted();
        throw SpeechError.engineFailed("The speech engine could not be used.", error);
      });
      memory.set(key, text, speech);
      return speech;
    },
    close: () => Promise.resolve(),
  };
  // The MP3 file that is passed on is the server's own, for the whole text.
  return sentenceSynthesizer(engine, ({ mp3 }) => mp3 === true);
}

const openAiAddress = "https://api.openai.com/v1";
const openAiKeyVariable = "OPENAI_API_KEY";

/** Null when the server's address is unknown, or when OpenAI's own key is missing. */
function accessOf(
  { body: { service }, settings }: SpeechEntry<OpenAiSettings>,
  { fetch, environment }: RecognizerContext,
): OpenAiAccess | null {
  const isOpenAi = service === "openai";
  const baseUrl = settings.base_url ?? (isOpenAi ? openAiAddress : undefined);
  const apiKey =
    engineKey(settings, environment) ??
    (isOpenAi ? engineVariable(openAiKeyVariable, environment) : undefined);
  if (baseUrl === undefined || (isOpenAi && !apiKey)) return null;
  return { fetch, baseUrl, settings, apiKey, isAzure: service === "azure" || isAzureAddress(baseUrl) };
}

/** OpenAI, or another server with its audio protocol. */
export const openAiEngine: SpeechEngine<OpenAiSettings> = {
  kind: "openai",
  settingsSchema: openAiSettingsSchema,
  check({ body: { service }, settings }, machine) {
    if (settings.base_url === undefined && service !== "openai") throw missingAddress(service);
    const variable = settings.api_key_env ?? (service === "openai" ? openAiKeyVariable : undefined);
    return missingKeyNotes(variable, engineKey(settings, machine.environment), machine);
  },
  createSynthesizer(entry, context) {
    const access = accessOf(entry, context);
    const { model = null, voice_settings: voiceSettings } = entry.body;
    return access && createOpenAiSynthesizer({ ...access, audio: context.audio, model, voiceSettings });
  },
  createRecognizer(entry, context) {
    const access = accessOf(entry, context);
    return access && createOpenAiRecognizer(access);
  },
};
