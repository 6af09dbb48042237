import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { folderAssets } from "./folder-assets.ts";
import type { RelayAssets } from "./relay-deps.ts";

export { folderAssets };

/** The files that this package brings for browsers: embed.js, the widget, the iframe page, characters. For Node. */
export function packageAssets(): RelayAssets {
  // As built, this module lies in dist/package and the files in dist/public.
  return folderAssets(join(dirname(fileURLToPath(import.meta.url)), "../public"));
}
