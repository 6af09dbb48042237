import { imageContentType } from "../../../protocol/image-type.ts";
import { pictureMaxBytes } from "../../background-file.ts";
import { Fault } from "../../fault.ts";
import { checkPictureDimensions } from "../../picture-dimensions.ts";

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
