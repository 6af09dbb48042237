import { html, nothing, type TemplateResult } from "lit";
import type { TranscriptEntry } from "../../client/index.ts";
import { beforeMarkup, mayHoldMarkup } from "../../markdown/markup.ts";
import type * as formattedTextView from "../rich/formatted-text.ts";
import type { FormattedProps } from "../rich/formatted-text.ts";
import { answerRatingButtons, ratingReply, type RatingProps } from "../rating/rating-view.ts";
import { lateIcon } from "../styles/late-icons.ts";
import type { Translate } from "../texts/texts.ts";

/** What draws answers with formatting: loaded when there is one; null when it could not be loaded. */
export type Formatting = typeof formattedTextView | null | undefined;

/** What an answer is drawn from, besides its entry. */
export interface AnswerProps {
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
  const { id, text, status } = entry;
  const isOpen = status === "streaming" || shown < text.length;
  // Until the parser is there, its marks would be copied.
  const isOver = !isOpen && !isSpoken && (formatting !== undefined || !mayHoldMarkup(text));
  return html`<div class="vv-a" data-entry=${id} ?hidden=${shown === 0 && text !== ""}>
    <div class=${isOpen ? "vv-md open" : "vv-md"} lang=${props.lang}>${answerText(entry, props)}</div>
    ${isOver && text ? answerTools(entry, props) : nothing}
  </div>`;
}

function answerText({ text, status }: TranscriptEntry, props: AnswerProps): unknown {
  const { formatting, shown } = props;
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
      <button type="button" class="vv-tool" aria-label=${label} data-tip=${label} @click=${() => copy(entry)}>
        ${lateIcon(copied ? "check" : "copy")}
      </button>
      ${rating ? answerRatingButtons(rating) : nothing}
    </div>
    ${rating ? ratingReply(rating) : nothing}`;
}
