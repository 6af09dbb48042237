import { html, nothing, type TemplateResult } from "lit";
import type { VisavisErrorCode } from "../../protocol/visavis-error-code.ts";
import type { TextKey, Translate } from "../texts/texts.ts";
import { captionWindow } from "./captions.ts";
import type { CaptionBar } from "./view.ts";

/** What the caption bar is drawn from. */
export interface CaptionBarProps {
  readonly t: Translate;
  readonly content: CaptionBar;
  /** The number of the present attempt to reconnect. */
  readonly attempt: { readonly attempt: number; readonly of: number } | null;
  /** How to write a question, where that is possible. */
  readonly typeHint: string | null;
  /** Whole captions instead of word by word, for visitors who want less motion. */
  readonly wholeSentences: boolean;
  readonly suggestions: readonly string[];
  readonly send: (text: string) => void;
}

/** What is being said, was asked, or could be asked. */
export function captionBar(props: CaptionBarProps): TemplateResult | typeof nothing {
  const { t, content, attempt, typeHint } = props;
  switch (content.kind) {
    case "none":
      return nothing;
    case "text":
      return html`<p class="vv-caption who">${t(content.key)}</p>
        ${content.hint && attempt ? hintLine(t(content.hint, { ...attempt })) : nothing}`;
    case "question":
      return html`<p class="vv-caption who" dir="auto">${content.text}</p>
        ${content.fault ? hintLine(t(faultText(content.fault))) : nothing}`;
    case "answer":
      return html`<p class="vv-caption" dir="auto">${content.text}</p>
        ${content.hint && typeHint ? hintLine(typeHint) : nothing}`;
    case "caption":
      return captionLines(content, props.wholeSentences);
    case "suggestions":
      return suggestionChips(t, props.suggestions, props.send);
  }
}

/** Plain words for a question that got no answer. */
export function faultText(code: VisavisErrorCode): TextKey {
  return code === "rate_limited" ? "answer_rate_limited" : "answer_failed";
}

function hintLine(text: string): TemplateResult {
  return html`<span class="hint">${text}</span>`;
}

function captionLines({ text, index }: CaptionBar & { kind: "caption" }, whole: boolean): TemplateResult {
  const { said, now, next } = captionWindow(text, index);
  if (whole) return html`<p class="vv-caption" dir="auto">${[said, now, next].filter(Boolean).join(" ")}</p>`;
  return html`<p class="vv-caption" dir="auto">
    <span class="said">${said}</span> <span class="now">${now}</span> <span class="next">${next}</span>
  </p>`;
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
