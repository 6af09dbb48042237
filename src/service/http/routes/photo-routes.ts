import { imageContentType } from "../../../protocol/image-type.ts";
import { Fault } from "../../fault.ts";
import { photoFileName, photoOfPath } from "../../photo-file.ts";
import type { FileStore } from "../../store/store.ts";
import { operation, TypedContent } from "../operations/operation.ts";
import type { Operation } from "../operations/operation.ts";

/** The files of photo characters. Pages of every origin show them, so the address alone gives access. */
export function photoRoutes(uploads: FileStore): Operation[] {
  return [
    operation({
      method: "GET",
      path: "/api/v1/photo_character/:photo/:file/",
      id: "downloadPhotoCharacter",
      tag: "Catalogues",
      summary:
        "Download a photo character (`character`), or one of its still pictures (`poster`, `porthole`)",
      auth: "none",
      answer: {
        status: 200,
        description: "The character as JSON, or the picture",
        contentType: "application/octet-stream",
        headers: {
          // A removed photograph must be gone soon.
          "Cache-Control": "public, max-age=300",
          "Access-Control-Allow-Origin": "*",
          "Cross-Origin-Resource-Policy": "cross-origin",
          "X-Content-Type-Options": "nosniff",
        },
      },
      async handler({ params: { photo, file } }) {
        const named = photoOfPath(`/api/v1/photo_character/${photo}/${file}/`);
        const bytes = named && (await uploads.read(photoFileName(named.id, named.file)));
        if (!named || !bytes) throw Fault.notFound();
        const isCharacter = named.file === "character";
        return new TypedContent(
          bytes,
          isCharacter ? "application/json" : (imageContentType(bytes) ?? "application/octet-stream"),
        );
      },
    }),
  ];
}
