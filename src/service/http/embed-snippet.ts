import type { EmbedSnippet } from "../../protocol/embed-context.ts";

/** Default size of the embedded viewer, in CSS pixels. */
const defaultSize = { width: 384, height: 640 };

const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function attribute(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}

/** The markup that an owner pastes to embed a context. `title` names the viewer to screen readers. */
export function embedSnippet(publicUrl: string, contextId: string, title: string): EmbedSnippet {
  const viewerUrl = `${publicUrl}/viewer/${encodeURIComponent(contextId)}`;
  const { width, height } = defaultSize;
  return {
    iframe:
      `<iframe src="${attribute(viewerUrl)}" width="${width}" height="${height}" ` +
      `allow="microphone; autoplay; fullscreen" title="${attribute(title)}"></iframe>`,
    script:
      `<script async src="${attribute(`${publicUrl}/embed.js`)}" ` +
      `data-context="${attribute(contextId)}"></script>`,
    viewer_url: viewerUrl,
    width,
    height,
  };
}
