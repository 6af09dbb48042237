import { randomUUID } from "node:crypto";
import type { Hono } from "hono";
import {
  backgroundImageCreateSchema,
  backgroundImageListSchema,
  backgroundImageSchema,
} from "../../protocol/catalogue.ts";
import type { BackgroundImage } from "../../protocol/catalogue.ts";
import { imageContentType } from "../../protocol/image-type.ts";
import { backgroundFileName, backgroundFilePath, pictureMaxBytes } from "../background-file.ts";
import type { Clock } from "../clock.ts";
import { Fault } from "../fault.ts";
import type { PublicFiles } from "../sessions/public-files.ts";
import type { FileStore, Store } from "../store/store.ts";
import { dataUrlBytes } from "./data-url.ts";
import { operation } from "./operation.ts";
import { bodyMaxBytes } from "./request-fields.ts";
import { pathPart, route } from "./routing.ts";
import { checkedPicture } from "./uploaded-picture.ts";

/** The longest address of a picture elsewhere, in characters. */
const addressMaxLength = 2_048;
/** A picture as base64 and the fields around it, in bytes. */
const textMaxBytes = Math.ceil((pictureMaxBytes * 4) / 3) + bodyMaxBytes;

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface BackgroundDependencies {
  store: Store;
  clock: Clock;
  /** Where pictures that came with a request are kept. */
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
      "Give an https address without user name, or a data URL with base64 of PNG, JPEG, WebP or AVIF.",
      "image",
    );
  return url.href;
}

/** What a request gives as the picture: the file itself, or the text of the field. */
interface GivenImage {
  file: Uint8Array | undefined;
  text: string | undefined;
}

/** The bytes of a picture that came with the request; null where it gives an address. */
function givenBytes({ file, text = "" }: GivenImage): Uint8Array | null {
  if (file) return file;
  if (!/^data:/i.test(text)) return null;
  const bytes = dataUrlBytes(text);
  if (bytes === null) throw Fault.invalid("invalid", "The data URL must hold a picture in base64.", "image");
  return bytes;
}

/** Keeps a picture that came with the request; what is answered is where it is now. */
async function savedImage(uploads: FileStore, id: string, given: GivenImage): Promise<string> {
  const { file, text } = given;
  if (file === undefined && text === undefined)
    throw Fault.invalid("required", "Give a picture: an https address, a data URL or a file.", "image");
  if (file !== undefined && text !== undefined)
    throw Fault.invalid("invalid", "Give either a file or a text, not both.", "image");
  const bytes = givenBytes(given);
  if (bytes === null) return checkedAddress(text ?? "");
  await uploads.write(backgroundFileName(id), checkedPicture(bytes));
  return backgroundFilePath(id);
}

function collectionRoute(app: Hono, { store, clock, uploads, files }: BackgroundDependencies): void {
  route(app, "/api/v1/background_image/", {
    GET: operation(
      {
        id: "listBackgroundImages",
        tag: "Catalogues",
        summary: "List background images",
        access: "console",
        answer: { status: 200, description: "The background images", schema: backgroundImageListSchema },
      },
      async ({ caller }) =>
        (await store.catalogue.list("background_image", caller.organizationId)).map((image) =>
          files.backgroundImage(image),
        ),
    ),
    POST: operation(
      {
        id: "createBackgroundImage",
        tag: "Catalogues",
        summary: "Create a background image from an https address, a data URL or a file",
        access: "console",
        body: {
          schema: backgroundImageCreateSchema,
          files: {
            image: { description: "PNG, JPEG, WebP or AVIF", maxBytes: pictureMaxBytes, isAlsoText: true },
          },
          maxBytes: textMaxBytes,
          textMaxBytes,
        },
        answer: { status: 201, description: "The background image", schema: backgroundImageSchema },
      },
      async ({ caller: { organizationId }, body: { title, image: text }, files: sent }) => {
        const id = randomUUID();
        const createdAtMs = clock.nowMs();
        const body: BackgroundImage = {
          backgroundimage_id: id,
          title,
          image: await savedImage(uploads, id, { file: sent.get("image"), text }),
          created_at: new Date(createdAtMs).toISOString(),
        };
        await store.catalogue.put({
          kind: "background_image",
          id,
          name: title,
          organizationId,
          createdAtMs,
          body,
        });
        return files.backgroundImage(body);
      },
    ),
  });
}

/** Pages of every origin show the picture, so its address alone opens it. */
function fileRoute(app: Hono, uploads: FileStore): void {
  route(app, "/api/v1/background_image/:backgroundimage/file/", {
    GET: operation(
      {
        id: "downloadBackgroundImage",
        tag: "Catalogues",
        summary: "Download a background image that is kept here",
        access: "open",
        answer: { status: 200, description: "The picture", contentType: "image/*" },
      },
      async ({ context }) => {
        const id = pathPart(context, "backgroundimage");
        const bytes = idPattern.test(id) ? await uploads.read(backgroundFileName(id)) : null;
        const contentType = bytes && imageContentType(bytes);
        if (!contentType) throw Fault.notFound();
        return context.body(new Uint8Array(bytes), 200, {
          "Content-Type": contentType,
          "Cache-Control": "public, max-age=31536000, immutable",
          "Access-Control-Allow-Origin": "*",
          "Cross-Origin-Resource-Policy": "cross-origin",
          "X-Content-Type-Options": "nosniff",
        });
      },
    ),
  });
}

/** Background images (interface specification, Background image). */
export function backgroundRoutes(app: Hono, dependencies: BackgroundDependencies): void {
  const { store, uploads, files } = dependencies;
  collectionRoute(app, dependencies);
  fileRoute(app, uploads);
  route(app, "/api/v1/background_image/:backgroundimage/", {
    GET: operation(
      {
        id: "retrieveBackgroundImage",
        tag: "Catalogues",
        summary: "Retrieve a background image",
        access: "console",
        answer: { status: 200, description: "The background image", schema: backgroundImageSchema },
      },
      async ({ context, caller }) => {
        const id = pathPart(context, "backgroundimage");
        const image = await store.catalogue.find("background_image", caller.organizationId, id);
        if (image === null) throw Fault.notFound();
        return files.backgroundImage(image);
      },
    ),
  });
}
