import { speechTextMaxLength } from "../../protocol/speech.ts";
import { mapAtOnce } from "./at-once.ts";
import { SpeechError } from "./speech-error.ts";
import type { Speech, SpeechRequest, SpeechSynthesizer } from "./speech-synthesizer.ts";
import { textSentences } from "./text-sentences.ts";
import { concatenated } from "./utterance.ts";

/** Texts up to this length are spoken as they are; longer ones are cut, so that nobody waits for a whole page. */
const pieceMaxLength = 300;

/** So many pieces of a text are asked for at once: one is spoken while the one before it is timed. */
const piecesAtOnce = 2;

/** A piece without sounds, such as one in a script that the voice does not know: its words take no time. */
function unspoken(text: string): Speech {
  const words = text
    .split(/\s+/u)
    .filter((word) => word !== "")
    .map((word) => ({ text: word, start: 0, end: 0 }));
  return { sampleRateHz: 16_000, pcm: new Int16Array(0), words, visemes: [] };
}

/** Speaks one text piece by piece. Throws what the engine throws; a piece that cannot be spoken only where none can. */
async function spokenInPieces(
  engine: Pick<SpeechSynthesizer, "synthesize">,
  pieces: readonly string[],
  request: SpeechRequest,
): Promise<Speech> {
  const refusals: SpeechError[] = [];
  const speech = await mapAtOnce(pieces, piecesAtOnce, async (piece) => {
    try {
      return await engine.synthesize({ ...request, text: piece.trim() });
    } catch (error) {
      if (!(error instanceof SpeechError) || error.code !== "unspeakable_text") throw error;
      refusals.push(error);
      return unspoken(piece);
    }
  });
  if (refusals[0] && refusals.length === pieces.length) throw refusals[0];
  return concatenated(speech);
}

/**
 * An engine that gets long texts sentence by sentence, so that the texts of other sessions come between. `takesWhole` says
 * which requests it gets as they are.
 */
export function sentenceSynthesizer(
  engine: SpeechSynthesizer,
  takesWhole: (request: SpeechRequest) => boolean = () => false,
): SpeechSynthesizer {
  return {
    ...engine,
    async synthesize(request) {
      const { text } = request;
      if (text.length > speechTextMaxLength) throw SpeechError.tooLong(text.length, speechTextMaxLength);
      const pieces = takesWhole(request) ? [text] : textSentences(text, pieceMaxLength);
      return pieces.length > 1 ? spokenInPieces(engine, pieces, request) : engine.synthesize(request);
    },
  };
}
