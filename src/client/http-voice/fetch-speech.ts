import type { DrawnSpeech } from "../../protocol/speech/drawn-speech.ts";
import type { TtsRequest } from "../../protocol/speech/speech.ts";
import { spokenSentenceSchema } from "../../protocol/speech/spoken-sentence.ts";
import { RelayFault } from "../relay/relay-fault.ts";
import type { SessionRelay } from "../relay/relay-client.ts";
import { parseAnswer, relayRequest } from "../relay/relay-request.ts";
import { VisavisError } from "../visavis-error.ts";

/** A sentence that can be played. */
export interface SpokenSentence {
  /** A WAV file. */
  readonly audio: Blob;
  /** Its words, mouth shapes, accents and loudness. */
  readonly drawn: DrawnSpeech;
}

/** How long a relay that cannot be reached is asked again, in ms, and the pause before that. */
const retryLimitMs = 20_000;
const retryPauseMs = 1_000;
/** A voice has 60 s for a sentence, and up to 600 s where its entry says so: then the service tells that it has failed. */
const answerLimitMs = 610_000;

/** Gets the sound of a sentence. Throws VisavisError, or the signal's reason. */
export async function fetchSpeech(
  relay: SessionRelay,
  body: TtsRequest,
  signal: AbortSignal,
): Promise<SpokenSentence> {
  const untilMs = performance.now() + retryLimitMs;
  for (;;)
    try {
      return await ask(relay, body, signal);
    } catch (error) {
      signal.throwIfAborted();
      const pauseMs = pauseBefore(error);
      if (pauseMs === null || performance.now() + pauseMs > untilMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      signal.throwIfAborted();
    }
}

/** When it makes sense to ask again; null: never. */
function pauseBefore(error: unknown): number | null {
  if (error instanceof RelayFault && error.retryAfterMs > 0) return error.retryAfterMs;
  return error instanceof VisavisError && error.code === "network" ? retryPauseMs : null;
}

async function ask(relay: SessionRelay, request: TtsRequest, signal: AbortSignal): Promise<SpokenSentence> {
  const response = await relayRequest({
    url: `${relay.base}/tts`,
    purpose: "session",
    body: request,
    headers: { authorization: `Bearer ${relay.token}` },
    signal,
    timeoutMs: answerLimitMs,
  });
  const body = await response.blob().catch((error: unknown) => {
    throw new VisavisError("network", "The relay's answer broke off.", error);
  });
  const { audio, ...drawn } = await parseAnswer(new Response(body), spokenSentenceSchema);
  const bytes = Uint8Array.from(atob(audio), (character) => character.charCodeAt(0));
  return { audio: new Blob([bytes], { type: "audio/wav" }), drawn };
}
