import * as z from "zod";
import { encodeWav } from "../../../audio/encode-wav.ts";
import { audioContainer, type AudioContainer } from "../../../audio/audio-container.ts";
import { AudioError } from "../../../audio/audio-error.ts";
import { callOpenAi, OpenAiStatusError, type OpenAiAccess } from "./openai-audio.ts";
import type { FileRecognitionRequest, Recognition, SpeechRecognizer } from "../../speech-recognizer.ts";

const answerSchema = z.object({ text: z.string().max(100_000), language: z.string().max(35).optional() });

const defaultModel = "whisper-1";

/** The language without its region (ISO 639-1), as the protocol requires. */
function languageOf(language: string | undefined): string | undefined {
  return language === undefined ? undefined : /^[a-z]{2,3}/i.exec(language)?.[0].toLowerCase();
}

/** Statuses that mean that the file is the problem. */
const refusals: ReadonlySet<number> = new Set([400, 413, 415, 422]);

interface Upload {
  file: Blob;
  name: string;
  language: string | undefined;
  signal: AbortSignal | undefined;
}

async function transcription(
  access: OpenAiAccess,
  { file, name, language, signal }: Upload,
): Promise<Recognition> {
  const form = new FormData();
  form.append("file", file, name);
  form.append("model", access.settings.model ?? defaultModel);
  form.append("response_format", "json");
  const asked = languageOf(language);
  if (asked !== undefined) form.append("language", asked);
  const response = await callOpenAi(access, "/audio/transcriptions", { body: form, signal });
  const answer = answerSchema.parse(await response.json());
  return { text: answer.text.trim(), locale: language ?? answer.language ?? null };
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
    if (!(error instanceof OpenAiStatusError) || !refusals.has(error.status)) throw error;
    const message = `The session's engine cannot read this ${name} file; send WAV or MP3.`;
    throw new AudioError("unsupported", message, { cause: error });
  }
}

/** Recognizes speech with a server of the OpenAI protocol (POST /v1/audio/transcriptions). */
export function createOpenAiRecognizer(access: OpenAiAccess): SpeechRecognizer {
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
