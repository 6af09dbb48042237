import * as z from "zod";
import type { AudioProcessor } from "../../audio/audio-processor.ts";
import { looksLikeMp3 } from "../../../audio/decode-audio.ts";
import type { DecodedAudio } from "../../../audio/decoded-audio.ts";
import type { OpenAiSettings } from "./openai-settings.ts";
import { callOpenAi, OpenAiStatusError, type OpenAiAccess } from "./openai-audio.ts";
import { sentenceSynthesizer } from "../../synthesis/sentence-synthesizer.ts";
import { SpeechError } from "../../speech-error.ts";
import { mannerKey, mannerOf, repitched } from "../../synthesis/speech-manner.ts";
import { SpeechMemory } from "../../synthesis/speech-memory.ts";
import type { Speech, SpeechRequest, SpeechSynthesizer } from "../../speech-synthesizer.ts";

/** The sample rate of the protocol's `pcm` format: 16 bits, little-endian, one channel. */
const pcmRateHz = 24_000;

/** The fields of a row's `voice_settings` that are added to a request. */
const voiceSettingsSchema = z
  .object({ speed: z.number().min(0.25).max(4).optional(), instructions: z.string().max(4_000).optional() })
  .catch({});

/** Options of the engine. */
export interface OpenAiSynthesizerOptions extends OpenAiAccess {
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
