import * as z from "zod";
import { encodeWav } from "../wav.ts";
import { callOpenAi, type OpenAiAccess } from "./openai-audio.ts";
import type { SpeechRecognizer } from "./speech-recognizer.ts";

const answerSchema = z.object({ text: z.string().max(100_000), language: z.string().max(35).optional() });

const defaultModel = "whisper-1";

/** The protocol takes a language without its region (ISO 639-1). */
function languageOf(language: string | undefined): string | undefined {
  return language === undefined ? undefined : /^[a-z]{2,3}/i.exec(language)?.[0].toLowerCase();
}

/** Writes down speech with a server of the OpenAI protocol (POST /v1/audio/transcriptions). */
export function createOpenAiRecognizer(access: OpenAiAccess): SpeechRecognizer {
  return {
    async recognize({ pcm, sampleRateHz, language, signal }) {
      const form = new FormData();
      const wav = new Uint8Array(encodeWav(pcm, sampleRateHz));
      form.append("file", new Blob([wav], { type: "audio/wav" }), "speech.wav");
      form.append("model", access.settings.model ?? defaultModel);
      form.append("response_format", "json");
      const asked = languageOf(language);
      if (asked !== undefined) form.append("language", asked);
      const response = await callOpenAi(access, "/audio/transcriptions", { body: form, signal });
      const answer = answerSchema.parse(await response.json());
      return { text: answer.text.trim(), locale: language ?? answer.language ?? null };
    },
    close: () => Promise.resolve(),
  };
}
