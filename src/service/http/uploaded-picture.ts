import { imageSize } from "image-size";
import { imageContentType } from "../../protocol/image-type.ts";
import { pictureMaxBytes } from "../background-file.ts";
import { Fault } from "../fault.ts";

/** Its longest side, in pixels: browsers decode the whole of it, however small the file. */
const pictureMaxPixels = 4_096;

/** Width and height in pixels as the picture itself says; null where it cannot be read. */
function sizeOf(bytes: Uint8Array): { width: number; height: number } | null {
  try {
    return imageSize(bytes);
  } catch {
    return null;
  }
}

/** The bytes, where they are a picture that can be kept. Throws a Fault of the field `image`. */
export function checkedPicture(bytes: Uint8Array): Uint8Array {
  if (bytes.length > pictureMaxBytes)
    throw Fault.invalid("max_length", `The picture is larger than ${pictureMaxBytes} bytes.`, "image");
  if (imageContentType(bytes) === null)
    throw Fault.invalid("invalid", "The picture must be PNG, JPEG, WebP or AVIF.", "image");
  const size = sizeOf(bytes);
  if (size === null || size.width < 1 || size.height < 1)
    throw Fault.invalid("invalid", "The picture cannot be read: the file is broken.", "image");
  if (Math.max(size.width, size.height) > pictureMaxPixels)
    throw Fault.invalid(
      "max_value",
      `The picture has ${size.width} × ${size.height} pixels; at most ${pictureMaxPixels} × ${pictureMaxPixels} are taken.`,
      "image",
    );
  return bytes;
}
