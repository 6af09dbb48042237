import type { EmbedContext } from "../../protocol/settings/embed-context.ts";
import type { BuiltFiles } from "./built-files.ts";
import { frameAncestors } from "../../origins/origin-policy.ts";

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

function policy(frameAncestorList: string): string {
  return [
    "default-src 'none'",
    // Voice activity runs as WebAssembly in an audio worklet.
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "worker-src 'self'",
    `frame-ancestors ${frameAncestorList}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

function htmlResponse(html: string, status: number, frameAncestorList: string): Response {
  return new Response(html, {
    status,
    headers: {
      "Content-Type": "text/html; charset=UTF-8",
      "Cache-Control": "no-cache",
      "Content-Security-Policy": policy(frameAncestorList),
      "Permissions-Policy":
        "microphone=(self), autoplay=(self), fullscreen=(self), camera=(), geolocation=()",
    },
  });
}

/** The iframe page of a context; only the context's origins may frame it. `root` is the relay's mount path. */
export function viewerPage(
  context: Pick<EmbedContext, "context_id" | "name" | "embed_config">,
  { viewer, widget }: Pick<BuiltFiles, "viewer" | "widget">,
  root: string,
): Response {
  const styles = viewer.styles.map((path) => `<link rel="stylesheet" href="${root}/${path}">`);
  const html = [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    `<title>${escapeHtml(context.name)}</title>`,
    ...styles,
    `<link rel="modulepreload" href="${root}/${widget}">`,
    `<script type="module" src="${root}/${viewer.script}"></script>`,
    "</head>",
    "<body>",
    `<visavis-avatar context-id="${escapeHtml(context.context_id)}" variant="inline"></visavis-avatar>`,
    "</body>",
    "</html>",
  ].join("\n");
  return htmlResponse(html, 200, frameAncestors(context));
}

/** The page for a context that does not exist. Any page may frame it, because it reveals nothing. */
export function missingViewerPage(): Response {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not found</title>
</head>
<body>
<h1>This avatar does not exist</h1>
<p>The address names no context. Check the snippet that this page was taken from.</p>
</body>
</html>`;
  return htmlResponse(html, 404, "*");
}
