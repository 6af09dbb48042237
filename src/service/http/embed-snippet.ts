import type { EmbedSnippet } from "../../protocol/embed-context.ts";
import { escapeHtml } from "./html.ts";

/** Default size of the embedded viewer, in CSS pixels. */
const defaultSize = { width: 384, height: 640 };

/** The markup that an owner pastes to embed a context. `title` names the viewer to screen readers. */
export function embedSnippet(publicUrl: string, contextId: string, title: string): EmbedSnippet {
  const viewerUrl = `${publicUrl}/viewer/${encodeURIComponent(contextId)}`;
  const { width, height } = defaultSize;
  return {
    iframe:
      `<iframe src="${escapeHtml(viewerUrl)}" width="${width}" height="${height}" ` +
      `allow="microphone; autoplay; fullscreen" title="${escapeHtml(title)}"></iframe>`,
    script:
      `<script async src="${escapeHtml(`${publicUrl}/embed.js`)}" ` +
      `data-context="${escapeHtml(contextId)}"></script>`,
    viewer_url: viewerUrl,
    width,
    height,
  };
}
