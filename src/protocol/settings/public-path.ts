const photo = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const photoFile = new RegExp(`^/api/v1/photo_character/(${photo})/(character|poster|porthole)/$`);

/** Public folders with pictures. Nothing outside them is linked or inlined. */
const publicFile =
  /^\/?((?:characters|backgrounds|stills)\/(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*)$/;

/** The relay's path of a photo character's file, by the service's; null for any other path. */
export function photoAssetPath(pathname: string): string | null {
  const [, id, file] = photoFile.exec(pathname) ?? [];
  if (id === undefined) return null;
  return `characters/photos/${id}/${file}.${file === "character" ? "json" : "webp"}`;
}

/** The path under the relay of a file that a catalogue entry names (as a path or a URL), or null. */
export function publicPath(file: string | null | undefined): string | null {
  if (!file) return null;
  const pathname = /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(file)?.[1] ?? file;
  return publicFile.exec(pathname)?.[1] ?? photoAssetPath(pathname);
}
