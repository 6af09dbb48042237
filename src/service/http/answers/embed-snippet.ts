import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EmbedSnippet } from "../../../protocol/embed-context.ts";
import { loaderAddress, type LoaderAddress } from "../../../protocol/loader-address.ts";
import type { ServiceSettings } from "../../service-settings.ts";
import type { ContextRecord } from "../../store/store.ts";
import { escapeHtml } from "./html.ts";

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
  { contextId, name, embed_config }: Pick<ContextRecord, "contextId" | "name" | "embed_config">,
  { publicUrl, publicFolder }: Pick<ServiceSettings, "publicUrl" | "publicFolder">,
): Promise<EmbedSnippet> {
  const title = `${embed_config.ui?.avatar_name ?? name}, AI assistant`;
  return markup({ publicUrl, contextId, title, loader: await builtLoader(publicFolder) });
}
