import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EmbedSnippet } from "../../../protocol/settings/embed-context.ts";
import { loaderAddress, type LoaderAddress } from "../../../protocol/page/loader-address.ts";
import type { ServiceSettings } from "../../service-settings.ts";
import type { ContextRecord } from "../../store/store.ts";

const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for the content of an element or for a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}

/** Default size of the embedded viewer, in CSS pixels. */
const defaultSize = { width: 384, height: 640 };

/** The built loader in the folder of public files; null where it was not built. */
async function builtLoader(publicFolder: string): Promise<LoaderAddress | null> {
  const body = await readFile(join(publicFolder, "embed.js")).catch(() => null);
  return body && loaderAddress(createHash("sha384").update(body).digest("base64"));
}

/** What a snippet contains. */
interface SnippetParts {
  publicUrl: string;
  contextId: string;
  /** The viewer's name for screen readers. */
  title: string;
  loader: LoaderAddress | null;
}

function markup({ publicUrl, contextId, title, loader }: SnippetParts): EmbedSnippet {
  const viewerUrl = `${publicUrl}/viewer/${encodeURIComponent(contextId)}`;
  const { width, height } = defaultSize;
  const script = (path: string, check: string) =>
    `<script async src="${escapeHtml(`${publicUrl}/${path}`)}" ${check}` +
    `data-context="${escapeHtml(contextId)}"></script>`;
  return {
    iframe:
      `<iframe src="${escapeHtml(viewerUrl)}" width="${width}" height="${height}" ` +
      `allow="microphone; autoplay; fullscreen" title="${escapeHtml(title)}"></iframe>`,
    script: script("embed.js", ""),
    script_pinned: loader && script(loader.path, `integrity="${loader.integrity}" crossorigin="anonymous" `),
    viewer_url: viewerUrl,
    width,
    height,
  };
}

/** The markup that an owner pastes to embed a context. */
export async function embedSnippet(
  { contextId, name, config }: Pick<ContextRecord, "contextId" | "name" | "config">,
  { publicUrl, publicFolder }: Pick<ServiceSettings, "publicUrl" | "publicFolder">,
): Promise<EmbedSnippet> {
  const title = `${config.ui?.avatar_name ?? name}, AI assistant`;
  return markup({ publicUrl, contextId, title, loader: await builtLoader(publicFolder) });
}
