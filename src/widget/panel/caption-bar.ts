import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { TranscriptEntry } from "../../client/index.ts";
import { textLanguage } from "../../protocol/text-language.ts";
import type { Translate } from "../texts/texts.ts";
import { captionWindow } from "./captions.ts";
import { messageButtons, messageStatusText, type MessageStatusProps } from "./message-status.ts";
import type { CaptionBar } from "./caption-content.ts";

/** What the caption bar is drawn from. */
export interface CaptionBarProps extends MessageStatusProps {
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
        ${content.quality === "poor" && props.write ? writeChip(t("link_poor_write"), props.write) : nothing}`;
    case "question":
      return html`${captionText(content.entry.text, langOf(content.entry.text), "who")}
      ${content.tool ? hintLine(props.toolTitle(content.tool) ?? t("tool_running")) : nothing}
      ${messageStatus(props, content.entry)} ${props.handover}`;
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

function writeChip(label: string, write: () => void): TemplateResult {
  return html`<div class="vv-chips">
    <button type="button" class="vv-chip" @click=${write}>${label}</button>
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
