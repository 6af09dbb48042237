import { randomUUID } from "node:crypto";
import {
  type BackgroundImage,
  backgroundImageCreateSchema,
  backgroundImageListSchema,
  backgroundImageSchema,
} from "../../../protocol/catalogue.ts";
import type { WireError } from "../../../protocol/schema/error-body.ts";
import { imageContentType } from "../../../protocol/characters/image-type.ts";
import { backgroundFileName, backgroundFilePath, pictureMaxBytes } from "../../pictures/photo-file.ts";
import type { Clock } from "../../clock.ts";
import { Fault } from "../../faults/fault.ts";
import type { PublicFiles } from "../../sessions/connection/public-files.ts";
import type { FileStore, Store } from "../../store/store.ts";
import { checkedPicture, dataUrlBytes } from "../body/uploaded-picture.ts";
import { bodyMaxBytes } from "../body/request-fields.ts";
import { operation, type Operation, TypedContent } from "../operations/operation.ts";
import { catalogueList } from "./catalogue-list.ts";

/** The longest address of a picture on another server, in characters. */
const addressMaxLength = 2_048;
/** A picture as base64 and the fields around it, in bytes. */
const textMaxBytes = Math.ceil((pictureMaxBytes * 4) / 3) + bodyMaxBytes;

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface BackgroundDependencies {
  store: Store;
  clock: Clock;
  /** Where uploaded pictures are stored. */
  uploads: FileStore;
  files: PublicFiles;
}

function checkedAddress(address: string): string {
  if (address.length > addressMaxLength)
    throw Fault.invalid("max_length", `An address may have at most ${addressMaxLength} characters.`, "image");
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "")
    throw Fault.invalid(
      "invalid",
      "Send an https address without user name, or a data URL with a PNG, JPEG, WebP or AVIF picture in base64.",
      "image",
    );
  return url.href;
}

/** The picture in a request: a file, or the text of the field. */
interface GivenImage {
  file: Uint8Array | undefined;
  text: string | undefined;
}

/** The bytes of a picture in the request; null where it is an address. */
function givenBytes({ file, text = "" }: GivenImage): Uint8Array | null {
  if (file) return file;
  if (!/^data:/i.test(text)) return null;
  const bytes = dataUrlBytes(text);
  if (bytes === null)
    throw Fault.invalid("invalid", "The data URL must contain a picture in base64.", "image");
  return bytes;
}

/** The picture's bytes, if it was uploaded, or its address. Throws a Fault of the field `image`. */
function checkedImage(given: GivenImage): Uint8Array | string {
  const { file, text } = given;
  if (file === undefined && text === undefined)
    throw Fault.invalid(
      "required",
      "A picture is required: an https address, a data URL or a file.",
      "image",
    );
  if (file !== undefined && text !== undefined)
    throw Fault.invalid("invalid", "Send either a file or a text, not both.", "image");
  const bytes = givenBytes(given);
  return bytes === null ? checkedAddress(text ?? "") : checkedPicture(bytes);
}

/** What is wrong with the picture. */
function imageErrors(given: GivenImage): WireError[] {
  try {
    checkedImage(given);
    return [];
  } catch (error) {
    if (error instanceof Fault) return error.body.errors;
    throw error;
  }
}

/** Stores the picture, if it was uploaded; resolves with its address. */
async function savedImage(uploads: FileStore, id: string, given: GivenImage): Promise<string> {
  const image = checkedImage(given);
  if (typeof image === "string") return image;
  await uploads.write(backgroundFileName(id), image);
  return backgroundFilePath(id);
}

const listImages = ({ store, files }: BackgroundDependencies): Operation =>
  catalogueList(store.catalogue, "background_image", {
    path: "/api/v1/background_image/",
    id: "listBackgroundImages",
    summary: "List background images",
    schema: backgroundImageListSchema,
    view: (image) => files.backgroundImage(image),
  });

const createImage = ({ store, clock, uploads, files }: BackgroundDependencies): Operation =>
  operation({
    method: "POST",
    path: "/api/v1/background_image/",
    id: "createBackgroundImage",
    tag: "Catalogues",
    summary: "Create a background image from an https address, a data URL or a file",
    auth: "console",
    body: {
      schema: backgroundImageCreateSchema,
      files: {
        image: { description: "PNG, JPEG, WebP or AVIF", maxBytes: pictureMaxBytes, isAlsoText: true },
      },
      maxBytes: textMaxBytes,
      textMaxBytes,
      furtherErrors: (_caller, { image: text }, sent) =>
        imageErrors({ file: sent.get("image"), text: typeof text === "string" ? text : undefined }),
    },
    answer: { status: 201, description: "The background image", schema: backgroundImageSchema },
    async handler({ caller: { organizationId }, body: { title, image: text }, files: sent }) {
      const id = randomUUID();
      const createdAtMs = clock.nowMs();
      const body: BackgroundImage = {
        backgroundimage_id: id,
        title,
        image: await savedImage(uploads, id, { file: sent.get("image"), text }),
        created_at: new Date(createdAtMs).toISOString(),
      };
      const kind = "background_image";
      await store.catalogue.put({ kind, id, name: title, organizationId, createdAtMs, body });
      return files.backgroundImage(body);
    },
  });

/** Pages of every origin show the picture, so its address alone gives access. */
const downloadImage = ({ uploads }: BackgroundDependencies): Operation =>
  operation({
    method: "GET",
    path: "/api/v1/background_image/:backgroundimage/file/",
    id: "downloadBackgroundImage",
    tag: "Catalogues",
    summary: "Download a background image that is stored here",
    auth: "none",
    answer: {
      status: 200,
      description: "The picture",
      contentType: "image/*",
      headers: {
        "Cache-Control": "public, max-age=31536000, immutable",
        "Access-Control-Allow-Origin": "*",
        "Cross-Origin-Resource-Policy": "cross-origin",
        "X-Content-Type-Options": "nosniff",
      },
    },
    async handler({ params: { backgroundimage: id } }) {
      const bytes = idPattern.test(id) ? await uploads.read(backgroundFileName(id)) : null;
      const contentType = bytes && imageContentType(bytes);
      if (!contentType) throw Fault.notFound();
      return new TypedContent(bytes, contentType);
    },
  });

const retrieveImage = ({ store, files }: BackgroundDependencies): Operation =>
  operation({
    method: "GET",
    path: "/api/v1/background_image/:backgroundimage/",
    id: "retrieveBackgroundImage",
    tag: "Catalogues",
    summary: "Retrieve a background image",
    auth: "console",
    answer: { status: 200, description: "The background image", schema: backgroundImageSchema },
    async handler({ params, caller }) {
      const image = await store.catalogue.find(
        "background_image",
        caller.organizationId,
        params.backgroundimage,
      );
      if (image === null) throw Fault.notFound();
      return files.backgroundImage(image);
    },
  });

/** Background images (interface specification, Background image). */
export function backgroundRoutes(dependencies: BackgroundDependencies): Operation[] {
  return [
    listImages(dependencies),
    createImage(dependencies),
    downloadImage(dependencies),
    retrieveImage(dependencies),
  ];
}
