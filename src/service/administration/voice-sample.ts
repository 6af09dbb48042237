import { encodeWav } from "../audio/encode-wav.ts";
import type { ReadableCatalogue } from "../available-catalogue.ts";
import { errorMessage } from "../error-message.ts";
import { Fault } from "../fault.ts";
import { SpeechError } from "../speech/speech-error.ts";
import type { SpeechSynthesizer } from "../speech/speech-synthesizer.ts";
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

/** A WAV file in which a voice says a text. Throws a Fault: there is no such voice, or its engine cannot say it. */
export async function voiceSample(
  { catalogue, synthesizer }: VoiceSampleAccess,
  organizationId: string,
  { tts_type: name, text, rate, pitch }: VoiceSampleRequest,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const row = await catalogue.row("tts_type", organizationId, name);
  const engine = row && synthesizer(row);
  if (!row || !engine) throw Fault.invalid("does_not_exist", `"${name}" does not exist.`, "tts_type");
  try {
    const voice = row.body.voice ?? row.name;
    const { pcm, sampleRateHz } = await engine.synthesize({ text, voice, rate, pitch, signal });
    return encodeWav(pcm, sampleRateHz);
  } catch (error) {
    const detail = errorMessage(error);
    if (error instanceof SpeechError && (error.code === "unspeakable_text" || error.code === "text_too_long"))
      throw Fault.invalid("invalid", detail, "text");
    throw Fault.server("The speech engine failed.", detail);
  }
}
