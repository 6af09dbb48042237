import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { folderAssets } from "./assets/folder-assets.ts";
import type { RelayAssets } from "./relay-deps.ts";

export { folderAssets };

/** The package's files for browsers: embed.js, the widget, the iframe page, characters. For Node. */
export function packageAssets(): RelayAssets {
  // In the package, this module is in modules/ and the files are in public/.
  return folderAssets(join(dirname(fileURLToPath(import.meta.url)), "../public"));
}
