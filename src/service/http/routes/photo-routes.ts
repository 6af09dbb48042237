import { imageContentType } from "../../../protocol/characters/image-type.ts";
import { photoCharacterSchema } from "../../../protocol/characters/photo-character.ts";
import { Fault } from "../../faults/fault.ts";
import { photoFileName, photoOfPath } from "../../pictures/photo-file.ts";
import type { FileStore } from "../../store/store.ts";
import { operation, type Operation, TypedContent } from "../operations/operation.ts";

const headers = {
  // A removed photograph must be gone soon.
  "Cache-Control": "public, max-age=300",
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "X-Content-Type-Options": "nosniff",
};

async function stored(uploads: FileStore, photo: string, file: string): Promise<Uint8Array> {
  const named = photoOfPath(`/api/v1/photo_character/${photo}/${file}/`);
  const bytes = named && (await uploads.read(photoFileName(named.id, named.file)));
  if (!bytes) throw Fault.notFound();
  return bytes;
}

/** The files of photo characters. Pages of every origin show them, so the address alone gives access. */
export function photoRoutes(uploads: FileStore): Operation[] {
  return [
    operation({
      method: "GET",
      path: "/api/v1/photo_character/:photo/character/",
      id: "downloadPhotoCharacter",
      tag: "Catalogues",
      summary: "Download a photo character",
      auth: "none",
      answer: {
        status: 200,
        description: "The character",
        contentType: "application/json",
        content: photoCharacterSchema,
        headers,
      },
      handler: ({ params: { photo } }) => stored(uploads, photo, "character"),
    }),
    operation({
      method: "GET",
      path: "/api/v1/photo_character/:photo/:still/",
      id: "downloadPhotoStill",
      tag: "Catalogues",
      summary: "Download a still picture of a photo character (`poster`, `porthole`)",
      auth: "none",
      answer: { status: 200, description: "The picture", contentType: "image/*", headers },
      async handler({ params: { photo, still } }) {
        const bytes = await stored(uploads, photo, still);
        const contentType = imageContentType(bytes);
        if (contentType === null) throw Fault.notFound();
        return new TypedContent(bytes, contentType);
      },
    }),
  ];
}
