import type { TtsResponse } from "../../protocol/speech/speech.ts";
import { speechLoudness } from "../../puppet/index.ts";
import { encodeWav } from "../audio/wav-file.ts";
import type { ReadableCatalogue } from "../engines/available-catalogue.ts";
import { drawnSpeech } from "../drawn-speech.ts";
import { errorMessage } from "../faults/error-message.ts";
import { Fault } from "../faults/fault.ts";
import { SpeechError } from "../speech/speech-error.ts";
import type { Speech, SpeechSynthesizer } from "../speech/speech-synthesizer.ts";
import type { CatalogueRow } from "../store/store.ts";

/** What samples need. */
export interface VoiceSampleAccess {
  catalogue: Pick<ReadableCatalogue, "row">;
  synthesizer: (row: CatalogueRow<"tts_type">) => SpeechSynthesizer | null;
}

/** A text to hear, and how. */
export interface VoiceSampleRequest {
  /** Name of the TTS type. */
  tts_type: string;
  text: string;
  rate?: number | undefined;
  pitch?: number | undefined;
}

/** A text in a voice. Throws a Fault: there is no such voice, or its engine cannot say it. */
async function spoken(
  { catalogue, synthesizer }: VoiceSampleAccess,
  organizationId: string,
  { tts_type: name, text, rate, pitch }: VoiceSampleRequest,
  signal: AbortSignal,
): Promise<Speech> {
  const row = await catalogue.row("tts_type", organizationId, name);
  const engine = row && synthesizer(row);
  if (!row || !engine) throw Fault.invalid("does_not_exist", `"${name}" does not exist.`, "tts_type");
  try {
    const voice = row.body.voice ?? row.name;
    return await engine.synthesize({ text, voice, rate, pitch, signal });
  } catch (error) {
    const detail = errorMessage(error);
    if (error instanceof SpeechError && (error.code === "unspeakable_text" || error.code === "text_too_long"))
      throw Fault.invalid("invalid", detail, "text");
    throw Fault.server("The speech engine failed.", detail);
  }
}

/** A WAV file in which a voice says a text. Throws a Fault: there is no such voice, or its engine cannot say it. */
export async function voiceSample(
  access: VoiceSampleAccess,
  organizationId: string,
  request: VoiceSampleRequest,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { pcm, sampleRateHz } = await spoken(access, organizationId, request, signal);
  return encodeWav(pcm, sampleRateHz);
}

/** The same, with what a face needs that is drawn in the browser. */
export async function speechSample(
  access: VoiceSampleAccess,
  organizationId: string,
  request: VoiceSampleRequest,
  signal: AbortSignal,
): Promise<TtsResponse> {
  const { pcm, sampleRateHz, words, visemes } = await spoken(access, organizationId, request, signal);
  const loudness = speechLoudness(pcm, sampleRateHz);
  return {
    audio: Buffer.from(encodeWav(pcm, sampleRateHz)).toString("base64"),
    format: "wav",
    words,
    ...drawnSpeech({ words, visemes, loudness }),
  };
}
