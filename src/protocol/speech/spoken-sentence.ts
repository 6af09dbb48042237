import * as z from "zod/mini";
import { drawnSpeechSchema } from "./drawn-speech.ts";

/** What browsers read of the answer of POST …/tts/: a WAV file as base64, and what the avatar is drawn from. */
export const spokenSentenceSchema = z.extend(drawnSpeechSchema, { audio: z.string() });
