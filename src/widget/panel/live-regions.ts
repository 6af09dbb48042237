import { html, type TemplateResult } from "lit";
import type { TranscriptEntry } from "../../client/index.ts";

/** For screen readers: the state after it has lasted a second, and whole answers instead of single words. */
export function liveRegions(status: string, transcript: readonly TranscriptEntry[]): TemplateResult {
  const answers = transcript
    .filter((entry) => entry.role === "avatar" && entry.status !== "streaming")
    .slice(-3);
  return html`<p class="vv-sr" role="status">${status}</p>
    <div class="vv-sr" role="log">${answers.map(({ text }) => html`<p>${text}</p>`)}</div>`;
}
