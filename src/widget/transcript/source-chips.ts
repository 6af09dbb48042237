import { html, nothing, type TemplateResult } from "lit";
import type { AnswerSource } from "../../protocol/answers/answer-source.ts";
import { lateIcon } from "../styles/late-icons.ts";
import type { Translate } from "../texts/texts.ts";

/** A longer quote is named by its first and its last words. */
const fragmentMaxWords = 10;
const endWords = 4;

const encoded = (words: readonly string[]): string =>
  encodeURIComponent(words.join(" ")).replaceAll("-", "%2D");

/** Where a browser that knows text fragments shows the quote; others, and where it is not found, show the page. */
function atQuote(url: URL, quote: string): string {
  const words = quote.split(/\s+/);
  const text =
    words.length > fragmentMaxWords
      ? `${encoded(words.slice(0, endWords))},${encoded(words.slice(-endWords))}`
      : encoded(words);
  return `${url.href}${url.hash ? "" : "#"}:~:text=${text}`;
}

function webAddress(address = ""): URL | null {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return null;
  return new URL(address);
}

/** The passage with what was used of it marked. */
function markedPassage({ passage, quotes }: AnswerSource): unknown[] {
  const parts: unknown[] = [];
  let from = 0;
  for (const quote of quotes) {
    const at = passage.indexOf(quote, from);
    if (at < 0) continue;
    parts.push(passage.slice(from, at), html`<mark>${quote}</mark>`);
    from = at + quote.length;
  }
  return [...parts, passage.slice(from)];
}

function sourceChip(t: Translate, lang: string, source: AnswerSource): TemplateResult {
  const { title, quotes } = source;
  const url = webAddress(source.url);
  const label = html`${lateIcon("lines")}<span dir="auto">${title}</span>`;
  if (url?.origin === location.origin)
    return html`<a class="vv-source" href=${atQuote(url, quotes[0] ?? "")} title=${t("source_opens")}
      >${label}</a
    >`;
  return html`<details>
    <summary class="vv-source" title=${t("source_shows")}>${label}</summary>
    <blockquote lang=${lang} dir="auto">
      ${markedPassage(source)}
      ${
        url
          ? html`<a href=${atQuote(url, quotes[0] ?? "")} target="_blank" rel="noopener noreferrer"
              >${url.host}</a
            >`
          : nothing
      }
    </blockquote>
  </details>`;
}

/**
 * Where an answer is from. A page of this website opens at the sentence, and the conversation goes on there; of all else the passage is
 * shown.
 */
export function sourceChips(t: Translate, lang: string, sources: readonly AnswerSource[]): TemplateResult {
  return html`<div class="vv-sources">
    <span>${t("source_from")}</span>${sources.map((source) => sourceChip(t, lang, source))}
  </div>`;
}
