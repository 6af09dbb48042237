import * as z from "zod";
import type { AudioDesk } from "./audio-desk.ts";
import { looksLikeMp3 } from "./decode-audio.ts";
import type { DecodedAudio } from "./decoded-audio.ts";
import type { OpenAiSettings } from "./engine-settings.ts";
import { callOpenAi, OpenAiStatusError, type OpenAiAccess } from "./openai-audio.ts";
import { sentenceSynthesizer } from "./sentence-synthesizer.ts";
import { SpeechError } from "./speech-error.ts";
import { SpeechMemory } from "./speech-memory.ts";
import type { Speech, SpeechRequest, SpeechSynthesizer } from "./speech-synthesizer.ts";

/** What the protocol's `pcm` format is: 16 bits, little-endian, one channel. */
const pcmRateHz = 24_000;

/** What a row's `voice_settings` may add to a request. */
const voiceSettingsSchema = z
  .object({ speed: z.number().min(0.25).max(4).optional(), instructions: z.string().max(4_000).optional() })
  .catch({});

/** What the engine is made from. */
export interface OpenAiSynthesizerOptions extends OpenAiAccess {
  audio: AudioDesk;
  /** The row's own model, where its settings name none. */
  model: string | null;
  voiceSettings: unknown;
}

const defaultModel = "tts-1";

/** How a server says that it does not know the format. */
const refusals = [400, 415, 422];

function rawPcm(bytes: Uint8Array): DecodedAudio {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pcm = Int16Array.from({ length: Math.floor(bytes.length / 2) }, (_, index) =>
    view.getInt16(index * 2, true),
  );
  return { pcm, sampleRateHz: pcmRateHz };
}

/** Speaks with a server of the OpenAI protocol (POST /v1/audio/speech). Its audio has no timings, so they are found by the text. */
export function createOpenAiSynthesizer(options: OpenAiSynthesizerOptions): SpeechSynthesizer {
  const { audio, settings, model, voiceSettings } = options;
  const [remembered, rememberedMp3] = [new SpeechMemory(), new SpeechMemory()];

  async function spoken(
    { text, voice, mp3, session, signal }: SpeechRequest,
    format: OpenAiSettings["response_format"],
  ): Promise<Speech> {
    const body = JSON.stringify({
      ...voiceSettingsSchema.parse(voiceSettings ?? {}),
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
    const speech = { ...decoded, ...(await audio.align({ ...decoded, text }, { session, signal })) };
    return mp3 && looksLikeMp3(bytes) ? { ...speech, mp3: bytes } : speech;
  }

  /** In MP3 where it is wanted; a server that does not know MP3 speaks in the row's own format. */
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
      const known = memory.get(voice, text);
      if (known) return known;
      const speech = await spokenAsWanted(request).catch((error: unknown) => {
        signal?.throwIfAborted();
        throw SpeechError.engineFailed("The speech engine could not be used.", error);
      });
      memory.set(voice, text, speech);
      return speech;
    },
    close: () => Promise.resolve(),
  };
  // The MP3 file that is handed on is the server's own, of the whole text.
  return sentenceSynthesizer(engine, ({ mp3 }) => mp3 === true);
}
