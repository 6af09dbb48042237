import { html, type TemplateResult } from "lit";
import type { TranscriptEntry } from "../../client/index.ts";
import { textLanguage } from "../../protocol/text-language.ts";

/**
 * For screen readers: the state after it has lasted a second, and whole answers instead of single words. `toText` gives a
 * text without its marks, null while that is not possible yet. `locale`: the language of the conversation.
 */
export function liveRegions(
  status: string,
  transcript: readonly TranscriptEntry[],
  toText: (text: string) => string | null,
  locale: string,
): TemplateResult {
  const answers = transcript
    .filter((entry) => entry.role === "avatar" && entry.status !== "streaming")
    .slice(-3)
    .flatMap(({ text }) => toText(text) ?? []);
  return html`<p class="vv-sr" role="status">${status}</p>
    <div class="vv-sr" role="log">
      ${answers.map((text) => html`<p lang=${textLanguage(text, locale)}>${text}</p>`)}
    </div>`;
}
