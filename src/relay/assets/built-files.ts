import { ownField } from "../own-field.ts";
import { RelayError } from "../relay-error.ts";
import type { RelayAssets } from "../relay-deps.ts";

const manifestPath = ".vite/manifest.json";
const widgetEntry = "src/widget/define.ts";
const viewerEntry = "src/viewer/viewer.ts";

/** Paths of the built modules that pages load, in the public folder. */
export interface BuiltFiles {
  widget: string;
  viewer: { script: string; styles: string[] };
}

function entryFile(manifest: unknown, entry: string): string {
  const file = ownField(ownField(manifest, entry), "file");
  if (typeof file !== "string")
    throw RelayError.engineFailed(503, `The build has no ${entry}. Run the build.`);
  return file;
}

/** Style sheets of an entry and of the modules it imports. */
function entryStyles(manifest: unknown, entry: string, seen = new Set<string>()): string[] {
  if (seen.has(entry)) return [];
  seen.add(entry);
  const record = ownField(manifest, entry);
  const strings = (key: string) => {
    const list = ownField(record, key);
    return Array.isArray(list) ? list.filter((item): item is string => typeof item === "string") : [];
  };
  return [...strings("css"), ...strings("imports").flatMap((item) => entryStyles(manifest, item, seen))];
}

async function readManifest(assets: RelayAssets, path: string): Promise<unknown> {
  const asset = await assets.read(path);
  if (!asset) return null;
  const manifest: unknown = JSON.parse(new TextDecoder().decode(asset.body));
  return manifest;
}

/**
 * Reads the build's manifest, which names the hashed files.
 *
 * @throws RelayError engine_failed when there is no build.
 */
export async function readBuiltFiles(assets: RelayAssets): Promise<BuiltFiles> {
  const manifest = await readManifest(assets, manifestPath);
  if (!manifest) throw RelayError.engineFailed(503, "The build's manifest is missing. Run the build.");
  return {
    widget: entryFile(manifest, widgetEntry),
    viewer: { script: entryFile(manifest, viewerEntry), styles: entryStyles(manifest, viewerEntry) },
  };
}
