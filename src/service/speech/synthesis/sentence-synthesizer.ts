import { speechTextMaxLength } from "../../../protocol/speech/speech.ts";
import { spokenParagraphs, textParagraphs } from "./paragraphs.ts";
import { SpeechError } from "../speech-error.ts";
import type { Speech, SpeechRequest, SpeechSynthesizer } from "../speech-synthesizer.ts";
import { textSentences } from "./text-sentences.ts";

/** Texts up to this length are spoken as a whole. Longer ones are split, so that the first words come early. */
const pieceMaxLength = 300;

/** How many pieces of a text are requested at once: one is spoken while the previous one gets its timings. */
const piecesAtOnce = 2;

/** The result for a piece without sounds, such as one in a script that the voice does not know: its words have no duration. */
function unspoken(text: string): Speech {
  const words = text
    .split(/\s+/u)
    .filter((word) => word !== "")
    .map((word) => ({ text: word, start: 0, end: 0 }));
  return { sampleRateHz: 16_000, pcm: new Int16Array(0), words, visemes: [] };
}

/**
 * Speaks the pieces of a text's paragraphs. Throws the engine's errors; a piece that cannot be spoken is an error only if no piece can be.
 */
async function spokenInPieces(
  engine: Pick<SpeechSynthesizer, "synthesize">,
  paragraphs: readonly (readonly string[])[],
  request: SpeechRequest,
): Promise<Speech> {
  const refusals: SpeechError[] = [];
  const speech = await spokenParagraphs(paragraphs, piecesAtOnce, async (piece) => {
    try {
      return await engine.synthesize({ ...request, text: piece.trim() });
    } catch (error) {
      if (!(error instanceof SpeechError) || error.code !== "unspeakable_text") throw error;
      refusals.push(error);
      return unspoken(piece);
    }
  });
  if (refusals[0] && refusals.length === paragraphs.flat().length) throw refusals[0];
  return speech;
}

/**
 * An engine that gets paragraphs one by one, and long ones sentence by sentence, so that other sessions' texts can run in between. `takesWhole` selects the
 * requests that it gets as a whole.
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
      if (takesWhole(request)) return engine.synthesize(request);
      const paragraphs = textParagraphs(text).map((paragraph) => textSentences(paragraph, pieceMaxLength));
      const isOnePiece = paragraphs.length === 1 && paragraphs[0]?.length === 1;
      return isOnePiece ? engine.synthesize(request) : spokenInPieces(engine, paragraphs, request);
    },
  };
}
