import { join, normalize } from "node:path";
import type { BackgroundImage, ModelStyle } from "../../../protocol/catalogue.ts";
import type { ServiceSettings } from "../../service-settings.ts";
import { PhotoCopies } from "../../pictures/photo-copies.ts";
import { photoOfPath } from "../../pictures/photo-file.ts";
import type { CatalogueKinds } from "../../store/entities/catalogue-store.ts";
import type { FileStore } from "../../store/store.ts";

/** Turns the catalogue's paths of public files into URLs for clients and into file paths for the media engine. */
export interface PublicFiles {
  modelStyle(style: ModelStyle): ModelStyle;
  backgroundImage(image: BackgroundImage): BackgroundImage;
  document(document: CatalogueKinds["document"]): CatalogueKinds["document"];
  /** Absolute path of a public file that the catalogue names by its path; null if the value is not such a path. */
  path(file: string): string | null;
  /** Absolute path of the character that a model style draws; null if there is none here. A stored one is copied to this machine. */
  characterFile(style: ModelStyle): Promise<string | null>;
  /** The paths of copied characters that were removed from the store since the last call. Their copies are removed too. */
  removedCharacters(): Promise<string[]>;
}

/** Public files under the settings' address and folder, and photo characters in the store. */
export function publicFiles(
  settings: Pick<ServiceSettings, "publicUrl" | "serviceUrl" | "publicFolder">,
  stored: FileStore,
): PublicFiles {
  const { publicUrl, serviceUrl = publicUrl, publicFolder } = settings;
  const photos = new PhotoCopies(stored);
  // The service answers its own paths, the relay those of public files.
  const place = (file: string) => (file.startsWith("/api/") ? serviceUrl : publicUrl);
  const url = (file: string) => (file.startsWith("/") ? place(file) + file : file);
  // `normalize` of an absolute path cannot climb above its root, so the result stays in the folder.
  const path = (file: string) => (file.startsWith("/") ? join(publicFolder, normalize(file)) : null);
  const named = (files: ModelStyle["files"]) => files.map(({ name, file }) => ({ name, file: url(file) }));
  return {
    modelStyle: (style) => ({
      ...style,
      files: named(style.files),
      model_files: named(style.model_files),
      model_file: style.model_file && url(style.model_file),
      file: style.file && url(style.file),
    }),
    backgroundImage: (image) => ({ ...image, image: url(image.image) }),
    document: (row) => ({ ...row, file: row.file && url(row.file) }),
    path,
    async characterFile(style) {
      const file = style.files.find(({ name }) => name === "character")?.file;
      if (file === undefined) return null;
      const photo = photoOfPath(file);
      return photo ? photos.path(photo.id) : path(file);
    },
    removedCharacters: () => photos.removed(),
  };
}
