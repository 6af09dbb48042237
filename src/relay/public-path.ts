import { photoAssetPath } from "./photo-assets.ts";

/** Public folders with pictures. Nothing outside them is linked or inlined. */
const publicFile =
  /^\/?((?:characters|backgrounds|stills)\/(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*)$/;

/** The path in the public folder that a catalogue entry names (as a path or a URL), or null. */
export function publicPath(file: string | null | undefined): string | null {
  if (!file) return null;
  const pathname = URL.canParse(file) ? new URL(file).pathname : file;
  return publicFile.exec(pathname)?.[1] ?? photoAssetPath(pathname);
}
