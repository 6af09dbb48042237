import { imageSize } from "image-size";
import { Fault } from "../faults/fault.ts";

/** Width and height in pixels, from the picture's header; null where it cannot be read. */
function sizeOf(bytes: Uint8Array): { width: number; height: number } | null {
  try {
    return imageSize(bytes);
  } catch {
    return null;
  }
}

/**
 * Checks the size of an uploaded picture, because decoding it needs memory for every pixel, however small the file is.
 * Throws a Fault of `field` for a damaged picture, and for one with a side longer than `maxSidePixels`.
 */
export function checkPictureDimensions(
  bytes: Uint8Array,
  { maxSidePixels, field }: { maxSidePixels: number; field: string },
): void {
  const size = sizeOf(bytes);
  if (size === null || size.width < 1 || size.height < 1)
    throw Fault.invalid("invalid", "The picture cannot be read: the file is damaged.", field);
  if (Math.max(size.width, size.height) > maxSidePixels)
    throw Fault.invalid(
      "max_value",
      `The picture has ${size.width} × ${size.height} pixels; at most ${maxSidePixels} × ${maxSidePixels} are allowed.`,
      field,
    );
}
