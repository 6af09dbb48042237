import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { extname, join, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { RelayAsset, RelayAssets } from "../relay-deps.ts";

const contentTypes: Record<string, string> = {
  ".js": "text/javascript; charset=UTF-8",
  ".css": "text/css; charset=UTF-8",
  ".html": "text/html; charset=UTF-8",
  ".json": "application/json; charset=UTF-8",
  ".map": "application/json; charset=UTF-8",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
  ".avif": "image/avif",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
};

/** Endings of the files that are sent compressed. */
export const compressedExtensions: ReadonlySet<string> = new Set([".js", ".css", ".html", ".json", ".svg"]);

const brotli = promisify(brotliCompress);

/** The bytes with Brotli's highest quality, which takes about a second for half a megabyte. */
export async function compress(body: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  return new Uint8Array(await brotli(body, quality));
}

/** What the build has compressed, unless the file was changed afterwards. */
async function compressedByBuild(file: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const [plain, built] = await Promise.all([stat(file), stat(`${file}.br`)]);
    return built.mtimeMs < plain.mtimeMs ? null : new Uint8Array(await readFile(`${file}.br`));
  } catch {
    return null;
  }
}

async function load(file: string): Promise<RelayAsset> {
  const extension = extname(file);
  const body = new Uint8Array(await readFile(file));
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const asset: RelayAsset = {
    body,
    contentType: contentTypes[extension] ?? "application/octet-stream",
    etag,
  };
  if (!compressedExtensions.has(extension)) return asset;
  return { ...asset, brotli: (await compressedByBuild(file)) ?? (await compress(body)) };
}

/**
 * The built files of a folder, for Node. Each file is read once and kept until it changes on disk. It is compressed then, unless the
 * build has done that. A path out of the folder finds no file.
 */
export function folderAssets(folder: string): RelayAssets {
  const root = resolve(folder);
  const kept = new Map<string, { stamp: string; asset: Promise<RelayAsset> }>();
  return {
    read: async (path) => {
      const file = resolve(join(root, path));
      if (!file.startsWith(root + sep)) return null;
      const found = await stat(file).catch(() => null);
      if (!found?.isFile()) return null;
      const stamp = `${found.mtimeMs}:${found.size}`;
      const known = kept.get(file);
      if (known?.stamp === stamp) return known.asset;
      const asset = load(file);
      kept.set(file, { stamp, asset });
      return asset;
    },
  };
}
