import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { extname, join, normalize, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

/** A file as it is served: bytes, media type, strong tag, and the same bytes compressed where that pays. */
export interface BuiltFile {
  body: Uint8Array<ArrayBuffer>;
  contentType: string;
  etag: string;
  brotli?: Uint8Array<ArrayBuffer>;
}

const contentTypes: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
  ".png": "image/png",
  ".woff2": "font/woff2",
};
const compressible = new Set([".js", ".css", ".html", ".json", ".map", ".svg"]);

const compress = promisify(brotliCompress);

async function load(file: string): Promise<BuiltFile | null> {
  const bytes = await readFile(file).catch(() => null);
  if (!bytes) return null;
  const extension = extname(file);
  const contentType = contentTypes[extension];
  if (!contentType) return null;
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  const body = new Uint8Array(bytes);
  if (!compressible.has(extension)) return { body, contentType, etag };
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: body.length > 200_000 ? 5 : 11 } };
  return { body, contentType, etag, brotli: new Uint8Array(await compress(bytes, options)) };
}

/**
 * The files under a folder, read and compressed once. A path that leaves the folder, names a hidden file other than the
 * build's manifest, or has no known type is no file.
 */
export function createBuiltFiles(folder: string): { read(path: string): Promise<BuiltFile | null> } {
  const files = new Map<string, Promise<BuiltFile | null>>();
  return {
    read: (path) => {
      const inside = normalize(path);
      if (inside.startsWith("..") || inside.startsWith(sep) || inside.includes("\0"))
        return Promise.resolve(null);
      const known = files.get(inside);
      if (known) return known;
      const reading = load(join(folder, inside));
      files.set(inside, reading);
      void reading.then((file) => file ?? files.delete(inside));
      return reading;
    },
  };
}
