import { imageContentType } from "../../../protocol/characters/image-type.ts";
import { pictureMaxBytes } from "../../pictures/photo-file.ts";
import { Fault } from "../../faults/fault.ts";
import { checkPictureDimensions } from "../../pictures/picture-dimensions.ts";

/** The longest side, in pixels. Browsers decode the whole picture, however small its file is. */
const pictureMaxPixels = 4_096;

/** Returns the bytes if they are a picture that can be stored. Throws a Fault of the field `image` if not. */
export function checkedPicture(bytes: Uint8Array): Uint8Array {
  if (bytes.length > pictureMaxBytes)
    throw Fault.invalid("max_length", `The picture is larger than ${pictureMaxBytes} bytes.`, "image");
  if (imageContentType(bytes) === null)
    throw Fault.invalid("invalid", "The picture must be PNG, JPEG, WebP or AVIF.", "image");
  checkPictureDimensions(bytes, { maxSidePixels: pictureMaxPixels, field: "image" });
  return bytes;
}

const form =
  /^data:image\/[a-z0-9.+-]{1,40}(?:;[a-z0-9-]{1,40}=[^;,"]{0,80}){0,4};base64,([A-Za-z0-9+/]*={0,2})$/i;

/**
 * The bytes of a base64 `data:` URL; null if the text is not one. White space in it does not count (Fetch Standard, data: URL processor):
 * encoders wrap lines. It is removed first, so that the expression takes linear time.
 */
export function dataUrlBytes(text: string): Uint8Array | null {
  const match = form.exec(text.replace(/[\t\n\f\r ]+/g, ""));
  return match ? Buffer.from(match[1] ?? "", "base64") : null;
}
