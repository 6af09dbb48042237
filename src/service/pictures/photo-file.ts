/** The files of a stored photo character. `consent` is private: only operators read it. */
export const photoFiles = ["character", "poster", "porthole", "consent"] as const;
export type PhotoFile = (typeof photoFiles)[number];

/** The files that anybody may download who knows their address. */
const publicPhotoFiles = ["character", "poster", "porthole"] as const;
type PublicPhotoFile = (typeof publicPhotoFiles)[number];

const address =
  /^\/api\/v1\/photo_character\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(character|poster|porthole)\/$/;

/** The name under which the service stores a file of a photo character. */
export const photoFileName = (id: string, file: PhotoFile): string => `photo-${id}-${file}`;

/** The path of a file, for downloads and in the model style. */
export const photoFilePath = (id: string, file: PublicPhotoFile): string =>
  `/api/v1/photo_character/${id}/${file}/`;

/** The photo character and the file that a path names; null for any other path. */
export function photoOfPath(path: string): { id: string; file: PublicPhotoFile } | null {
  const [, id, name] = address.exec(path) ?? [];
  const file = publicPhotoFiles.find((known) => known === name);
  return id === undefined || file === undefined ? null : { id, file };
}

/** The name of the file in which the service stores a background image. */
export const backgroundFileName = (id: string): string => `background-${id}`;

/** The path of a stored image, for downloads and in its catalogue entry. */
export const backgroundFilePath = (id: string): string => `/api/v1/background_image/${id}/file/`;

/** The largest background image that is stored or read, in bytes. */
export const pictureMaxBytes = 2 * 1024 * 1024;
