import type { TranscriptEntry, VoicePlace } from "../../client/index.ts";
import { html, nothing, type TemplateResult } from "lit";
import { beforeMarkup, mayHoldMarkup } from "../../markdown/markup.ts";
import type * as formattedTextView from "../rich/formatted-text.ts";
import type { FormattedProps } from "../rich/formatted-text.ts";
import { answerRatingButtons, type RatingProps, ratingReply } from "../rating/rating-view.ts";
import { lateIcon } from "../styles/late-icons.ts";
import type { Translate } from "../texts/texts.ts";
import { sourceChips } from "./source-chips.ts";
import { markUnsaid } from "./text-mark.ts";

/** Null where the browser is too old for it: the transcript is there all the same. */
const sentences = "Segmenter" in Intl ? new Intl.Segmenter(undefined, { granularity: "sentence" }) : null;
const speakable = /[\p{L}\p{N}]/u;

/** All that was written of an entry: of an interrupted answer also what was not spoken. */
function writtenText({ text, status, rest = "" }: TranscriptEntry): string {
  return status === "interrupted" ? text + rest : text;
}

/** The end of the sentence that begins at a place of a text, or of the next one with a word in it. */
function sentenceEnd(text: string, from: number): number {
  if (!sentences) return text.length;
  let end = from;
  for (const { segment } of sentences.segment(text.slice(from))) {
    end += segment.length;
    if (speakable.test(segment)) break;
  }
  return end;
}

/**
 * How many characters of each entry are shown: of an answer that is being spoken, no more than one sentence ahead of the
 * voice. `place` is where the voice is, null when it has nothing left to say or the visitor reads ahead.
 */
export function shownLengths(
  transcript: readonly TranscriptEntry[],
  place: VoicePlace | null,
): (entry: TranscriptEntry) => number {
  const spokenIndex = place ? transcript.findIndex(({ id }) => id === place.entryId) : -1;
  const spoken = transcript[spokenIndex];
  // What fills the wait for an answer is in no entry; the answer itself is not spoken yet.
  if (place?.entryId === "") {
    const asked = transcript.findLastIndex(({ role }) => role === "visitor");
    const waiting = new Set(transcript.slice(asked + 1).map(({ id }) => id));
    return (entry) => (waiting.has(entry.id) ? 0 : writtenText(entry).length);
  }
  if (!place || !spoken) return (entry) => writtenText(entry).length;
  const limits = new Map([[spoken.id, sentenceEnd(spoken.text, place.to)]]);
  // Of the texts that wait, the next one is shown only if this one has no further sentence.
  let isNext = !speakable.test(spoken.text.slice(place.to));
  for (const { id, role, text } of transcript.slice(spokenIndex + 1)) {
    if (role !== "avatar") continue;
    limits.set(id, isNext ? sentenceEnd(text, 0) : 0);
    isNext = false;
  }
  return (entry) => limits.get(entry.id) ?? writtenText(entry).length;
}

/** What draws answers with formatting: loaded when there is one; null when it could not be loaded. */
export type Formatting = typeof formattedTextView | null | undefined;

/** What an answer is drawn from, besides its entry. */
interface AnswerProps {
  readonly t: Translate;
  /** The language of the answer. */
  readonly lang: string;
  readonly formatting: Formatting;
  readonly formatted: FormattedProps;
  /** How many characters of the answer are shown. */
  readonly shown: number;
  /** The voice is in this answer. */
  readonly isSpoken: boolean;
  /** This answer is in the clipboard. */
  readonly copied: boolean;
  /** The visitor's rating; null where the owner asks for none. */
  readonly rating: RatingProps | null;
  readonly copy: (entry: TranscriptEntry) => void;
}

/** An answer of the avatar, with what can be done with it. */
export function answerRow(entry: TranscriptEntry, props: AnswerProps): TemplateResult {
  const { shown, isSpoken, formatting } = props;
  const { id, status } = entry;
  const text = writtenText(entry);
  const isOpen = status === "streaming" || shown < text.length;
  // Until the parser is there, its marks would be copied.
  const isOver = !isOpen && !isSpoken && (formatting !== undefined || !mayHoldMarkup(text));
  return html`<div class="vv-a" data-entry=${id} ?hidden=${shown === 0 && text !== ""}>
    <div class=${isOpen ? "vv-md open" : "vv-md"} lang=${props.lang} ${markUnsaid(unsaidFrom(entry, props))}>
      ${answerText(entry, props)}
    </div>
    ${isOver && text && entry.sources?.length ? sourceChips(props.t, props.lang, entry.sources) : nothing}
    ${isOver && text ? answerTools(entry, props) : nothing}
  </div>`;
}

/** Where the part of an answer begins that was not spoken, because the visitor interrupted it. */
function unsaidFrom({ text, status, rest }: TranscriptEntry, { formatting }: AnswerProps): number | null {
  if (status !== "interrupted" || !rest?.trim()) return null;
  return formatting ? formatting.shownCharacters(text + rest, text.length) : text.replace(/\s/g, "").length;
}

function answerText(entry: TranscriptEntry, props: AnswerProps): unknown {
  const { formatting, shown } = props;
  const { status } = entry;
  const text = writtenText(entry);
  const part = text.slice(0, shown);
  if (formatting === null || !mayHoldMarkup(part)) return plainParagraph(part);
  // No mark is shown as a symbol while the parser is on its way.
  if (!formatting) return plainParagraph(beforeMarkup(part));
  return formatting.formattedText(part, status !== "final" || shown < text.length, props.formatted);
}

/** A text without marks. After a space at its end, the caret could stand alone in a line. */
export function plainParagraph(text: string): TemplateResult {
  return html`<p class="plain" dir="auto">${text.trimEnd()}</p>`;
}

function answerTools(entry: TranscriptEntry, { t, copied, copy, rating }: AnswerProps): TemplateResult {
  const label = t(copied ? "copied_answer" : "copy_answer");
  return html`<div class="vv-answer-tools">
      <button
        type="button"
        class="vv-tool"
        aria-label=${label}
        data-tip=${label}
        @click=${() => copy({ ...entry, text: writtenText(entry) })}
      >
        ${lateIcon(copied ? "check" : "copy")}
      </button>
      ${rating ? answerRatingButtons(rating) : nothing}
    </div>
    ${rating ? ratingReply(rating) : nothing}`;
}
