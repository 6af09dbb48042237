import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import type { TranscriptEntry, VoicePlace } from "../../client/index.ts";
import { textLanguage } from "../../protocol/answers/text-language.ts";
import type { AttachmentParts } from "../attachments/attachment-parts.ts";
import {
  messageButtons,
  type MessageStatusProps,
  messageStatusText,
  resumeButton,
} from "../panel/live/message-status.ts";
import type { FormattedProps } from "../rich/formatted-text.ts";
import type * as richView from "../rich/rich-view.ts";
import type { PersonParts } from "../person/person-view.ts";
import type { RichProps } from "../rich/rich-view.ts";
import type { Translate } from "../texts/texts.ts";
import type { AnswerChoices } from "../panel/panel-host.ts";
import type { AnswerActions } from "./answer-actions.ts";
import { answerRow, type Formatting, plainParagraph, shownLengths } from "./answer-row.ts";
import { followConversation, type Followed } from "./follow-conversation.ts";

/** What the transcript is drawn from. */
export interface LogProps extends MessageStatusProps {
  /** The language of the conversation. */
  readonly locale: string;
  readonly transcript: readonly TranscriptEntry[];
  /** The avatar thinks about an answer. */
  readonly thinking: boolean;
  /** What a tool of the page does for the answer. */
  readonly working: string | null;
  /** The question that was spoken and may have been misheard, and what takes it back to be written. */
  readonly correctable: string | null;
  readonly correct: (id: string) => void;
  /** Where the voice is. */
  readonly voice: VoicePlace | null;
  readonly answers: AnswerChoices;
  readonly readAhead: AnswerActions["readAhead"];
  /** Whether answers can be rated. */
  readonly feedback: boolean;
  readonly rate: AnswerActions["rate"];
  readonly formatting: Formatting;
  readonly formatted: FormattedProps;
  readonly copyAnswer: AnswerActions["copyAnswer"];
  /** What draws buttons, cards and forms, once it is there. */
  readonly rich: typeof richView | null | undefined;
  readonly richProps: RichProps;
  /** Draws a person's words, once what does it is there. */
  readonly personRow: PersonParts["row"] | null;
  /** The ways to a person, when they are offered. */
  readonly handover: unknown;
  /** What draws the files of questions, once it is there. */
  readonly attach: AttachmentParts | null;
}

/** The conversation, set like an interview in print: questions semibold behind a rule, answers plain. */
export function transcriptLog(props: LogProps): TemplateResult | typeof nothing {
  const { t, transcript, voice, working } = props;
  const thinking = props.thinking && transcript.at(-1)?.role === "visitor";
  if (transcript.length === 0 && !thinking) return nothing;
  const question = transcript.findLast(({ role }) => role === "visitor")?.id ?? "";
  // Who types wants to read: the text comes as it is known, and the voice follows. Who speaks listens, with the words at the voice's pace.
  const isTyped = question !== "" && props.correctable !== question;
  const place = isTyped || props.answers.readAheadOf === question ? null : voice;
  return html`<div
    class="vv-log"
    part="transcript"
    role="region"
    aria-label=${t("transcript")}
    tabindex="0"
    ${followConversation({
      question: question || null,
      voice: marked(props),
      readAhead: () => props.readAhead(question),
    })}
  >
    ${rows(props, shownLengths(transcript, place))}
    ${
      thinking
        ? html`<p class="vv-a dim" aria-hidden="true">
              <span class="vv-dots"><i></i><i></i><i></i></span>${working ?? t("thinking")}
            </p>
            <div class="vv-long">
              ${t("takes_longer")}
              <button type="button" class="vv-resume" @click=${props.actions.interrupt}>
                ${t("interrupt")}
              </button>
            </div>`
        : nothing
    }
    ${props.handover}
  </div>`;
}

/** The rows. Each is drawn again only when something that it shows has changed: a conversation may be long. */
function rows(props: LogProps, lengthOf: (entry: TranscriptEntry) => number): unknown {
  const { t, locale, transcript, voice, formatting, formatted, answers, copyAnswer, rich, attach } = props;
  const language = t("copy_answer");
  const latest = transcript.findLast(({ role, content }) => role === "avatar" && !content);
  return repeat(
    transcript,
    ({ id }) => id,
    (entry) => {
      const { id, role, content } = entry;
      const shown = lengthOf(entry);
      const isSpoken = voice?.entryId === id;
      const copied = answers.copied === id;
      const given = answers.ratings?.[id];
      const rating = props.feedback ? { t, key: id, given, rate: props.rate } : null;
      const isLast = entry === transcript.at(-1);
      const correctable = props.correctable === id;
      const isLatest = entry === latest;
      const sent = [answers.sent?.[id], answers.handedOver, answers.message?.isOpen, answers.message?.status];
      const shownWith = [formatting, rich, ...sent, language, locale];
      if (role === "person")
        return props.personRow?.(entry, locale) ?? plainParagraph(`${entry.name ?? ""}: ${entry.text}`);
      if (content) return guard([entry, shown, ...shownWith], () => contentRow(entry, shown, props));
      const look = [
        entry,
        shown,
        isSpoken,
        copied,
        given,
        isLast,
        isLatest,
        correctable,
        attach?.epoch,
        ...shownWith,
      ];
      return guard(look, () => {
        const lang = textLanguage(entry.text, locale);
        const shared = { t, lang, formatting, formatted, shown, isSpoken, copied, rating };
        return [
          role === "visitor"
            ? [
                questionRow(t, entry, lang),
                attach?.sentWith(entry),
                correctable ? correctButton(props, id) : nothing,
              ]
            : answerRow(entry, { ...shared, copy: copyAnswer }),
          messageStatus(props, entry, isLast, isLatest),
        ];
      });
    },
  );
}

function correctButton({ t, correct }: LogProps, id: string): TemplateResult {
  return html`<div class="vv-chips">
    <button type="button" class="vv-chip" @click=${() => correct(id)}>${t("talk_correct")}</button>
  </div>`;
}

/** What is shown besides texts, or its words until that can be drawn. It waits for the text before it, as that does for the voice. */
function contentRow(entry: TranscriptEntry, shown: number, { rich, richProps }: LogProps): TemplateResult {
  const { id, text } = entry;
  return html`<div class="vv-a vv-rich" data-entry=${id} ?hidden=${shown === 0 && text !== ""}>
    ${rich ? rich.richContent(entry, richProps) : text ? plainParagraph(text) : nothing}
  </div>`;
}

function questionRow(t: Translate, { id, text }: TranscriptEntry, lang: string): TemplateResult {
  const speaker = html`<span class="vv-sr">${t("said_by_visitor")}: </span>`;
  // The label is in the widget's language: it must not decide the direction of the question.
  return html`<p class="vv-q" data-entry=${id}>${speaker}<span dir="auto" lang=${lang}>${text}</span></p>`;
}

/** What became of a message, and for the last one (or the last answer) what the visitor can do about it. */
function messageStatus(
  props: MessageStatusProps,
  entry: TranscriptEntry,
  isLast: boolean,
  isLatestAnswer: boolean,
): TemplateResult | typeof nothing {
  const text = messageStatusText(entry);
  if (!text) return nothing;
  return html`<div class="vv-cut">
      ${props.t(text)}${isLatestAnswer ? resumeButton(props, entry) : nothing}
    </div>
    ${isLast ? messageButtons(props, entry) : nothing}`;
}

/** The sentence that is being spoken, counted as it is shown. */
function marked({ transcript, voice, formatting }: LogProps): Followed["voice"] {
  const entry = voice && transcript.findLast(({ id }) => id === voice.entryId);
  if (!entry) return null;
  const { text } = entry;
  const characters = (place: number): number =>
    formatting ? formatting.shownCharacters(text, place) : text.slice(0, place).replace(/\s/g, "").length;
  return { entryId: entry.id, from: characters(voice.from), to: characters(voice.to) };
}
