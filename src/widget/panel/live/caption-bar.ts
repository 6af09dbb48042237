import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { TranscriptEntry } from "../../../client/index.ts";
import { textLanguage } from "../../../protocol/answers/text-language.ts";
import type { Translate } from "../../texts/texts.ts";
import { messageButtons, type MessageStatusProps, messageStatusText } from "./message-status.ts";
import type { CaptionBar } from "./caption-content.ts";

/** The part of an utterance on the caption lines: words already said, the word being said, words to come. */
interface CaptionWindow {
  readonly said: string;
  readonly now: string;
  readonly next: string;
}

/** Three lines of 21 em hold about this many characters of Latin text. */
const charactersOnLines = 96;
const minSentence = 24;

/**
 * Cuts an utterance into captions at sentence ends, then at commas, then between words, none longer than the lines.
 * Returns the index of the first word of each caption.
 */
export function captionStarts(words: readonly string[], limit = charactersOnLines): number[] {
  const starts = [0];
  let length = 0;
  let comma = -1;
  for (const [index, word] of words.entries()) {
    if (length > 0 && length + word.length > limit) {
      const cut = comma > (starts.at(-1) ?? 0) ? comma : index;
      starts.push(cut);
      length = words.slice(cut, index).join(" ").length + 1;
      comma = -1;
    }
    length += word.length + 1;
    if (index + 1 === words.length) break;
    if (/[.!?…。！？]["”’)]*$/.test(word) && length >= minSentence) {
      starts.push(index + 1);
      length = 0;
      comma = -1;
    } else if (/[,;:،]$/.test(word) && length > limit / 2) comma = index + 1;
  }
  return starts;
}

/** The caption that holds the word at `index` of the utterance (words are what white space separates). */
export function captionWindow(text: string, index: number): CaptionWindow {
  const words = text.split(/\s+/).filter(Boolean);
  const starts = captionStarts(words);
  const at = Math.min(Math.max(index, 0), Math.max(words.length - 1, 0));
  const which = starts.findLastIndex((start) => start <= at);
  const start = starts[which] ?? 0;
  const end = starts[which + 1] ?? words.length;
  return {
    said: words.slice(start, at).join(" "),
    now: words[at] ?? "",
    next: words.slice(at + 1, end).join(" "),
  };
}

/** What the caption bar is drawn from. */
interface CaptionBarProps extends MessageStatusProps {
  readonly content: CaptionBar;
  /** The language of the conversation. */
  readonly locale: string;
  /** The number of the present attempt to reconnect. */
  readonly attempt: { readonly attempt: number; readonly of: number } | null;
  /** How to write a question, where that is possible. */
  readonly typeHint: string | null;
  /** Whole captions instead of word by word, for visitors who want less motion. */
  readonly wholeSentences: boolean;
  /** A text of the avatar without its marks; null while that is not possible yet. */
  readonly textOf: (text: string) => string | null;
  readonly suggestions: readonly string[];
  /** The questions that the last answer suggests. */
  readonly nextQuestions: readonly string[];
  /** The ways to a person, when they are offered. */
  readonly handover: unknown;
  readonly send: (text: string) => void;
  readonly interrupt: () => void;
  /** Goes on in writing, without picture and sound; null where the visitor cannot write. */
  readonly write: (() => void) | null;
  /** What visitors read while a tool of the page runs, if the page says. */
  readonly toolTitle: (name: string) => string | null;
}

/** What is being said, was asked, or could be asked. */
export function captionBar(props: CaptionBarProps): TemplateResult | typeof nothing {
  const { t, content, attempt, typeHint } = props;
  const langOf = (text: string) => textLanguage(text, props.locale);
  switch (content.kind) {
    case "none":
      return nothing;
    case "text":
      return html`${keyed(content.key, html`<p class="vv-caption who">${t(content.key)}</p>`)}
      ${content.hint && attempt ? hintLine(t(content.hint, { ...attempt })) : nothing}`;
    case "link":
      return html`<p class="vv-caption who">${t(`link_${content.quality}_hint`)}</p>
        ${content.quality === "poor" && props.write ? chip(t("link_poor_write"), props.write) : nothing}`;
    case "question":
      return html`${captionText(content.entry.text, langOf(content.entry.text), "who")}
      ${content.tool ? hintLine(props.toolTitle(content.tool) ?? t("tool_running")) : nothing}
      ${content.thinking ? longWait(props) : nothing} ${messageStatus(props, content.entry)} ${props.handover}`;
    case "answer":
      return html`${captionText(props.textOf(content.text), langOf(content.text))}
      ${content.hint && typeHint ? hintLine(typeHint) : nothing}
      ${content.trouble ? messageStatus(props, content.trouble) : nothing} ${props.handover}
      ${props.nextQuestions.length > 0 ? suggestionChips(t, props.nextQuestions, props.send) : nothing}`;
    case "caption":
      return captionLines(content, langOf(content.text), props.wholeSentences);
    case "suggestions":
      return suggestionChips(t, props.suggestions, props.send);
  }
}

/** The style sheet shows it after 8 s. */
function longWait({ t, interrupt }: CaptionBarProps): TemplateResult {
  return html`<div class="vv-late">${hintLine(t("takes_longer"))} ${chip(t("interrupt"), interrupt)}</div>`;
}

function messageStatus(props: CaptionBarProps, entry: TranscriptEntry): unknown {
  const text = messageStatusText(entry);
  return [text ? hintLine(props.t(text)) : nothing, messageButtons(props, entry)];
}

function hintLine(text: string): TemplateResult {
  return html`<span class="hint">${text}</span>`;
}

function captionLines(
  { text, index }: CaptionBar & { kind: "caption" },
  lang: string,
  whole: boolean,
): TemplateResult {
  const { said, now, next } = captionWindow(text, index);
  const caption = [said, now, next].filter(Boolean).join(" ");
  if (whole) return captionText(caption, lang);
  const parts = Object.entries({ said, now, next });
  // A word that has its own element from the start stays where it is when it is said.
  const words = parts.flatMap(([part, words]) =>
    words
      .split(" ")
      .filter(Boolean)
      .map((word) => html`<span class=${part}>${word}</span> `),
  );
  return html`${keyed(caption, html`<p class="vv-caption" dir="auto" lang=${lang}>${words}</p>`)}`;
}

/** A centred text. Another one does not push it aside: it takes its place. */
function captionText(text: string | null, lang: string, type = ""): TemplateResult {
  return html`${keyed(text, html`<p class="vv-caption ${type}" dir="auto" lang=${lang}>${text}</p>`)}`;
}

function chip(label: string, press: () => void): TemplateResult {
  return html`<div class="vv-chips">
    <button type="button" class="vv-chip" @click=${press}>${label}</button>
  </div>`;
}

/** Questions that the visitor can ask by a click. */
export function suggestionChips(
  t: Translate,
  suggestions: readonly string[],
  send: (text: string) => void,
): TemplateResult {
  return html`<div class="vv-chips" role="group" aria-label=${t("suggestions")}>
    ${suggestions.map(
      (text) =>
        html`<button type="button" class="vv-chip" dir="auto" @click=${() => send(text)}>${text}</button>`,
    )}
  </div>`;
}
