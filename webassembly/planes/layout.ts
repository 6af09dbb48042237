/**
 * How pictures lie in memory. A picture begins with its header: four 32-bit numbers, then for each pair of rows the columns between
 * which it is not transparent, and then its planes: luma, alpha, and in half the size both chroma planes and alpha. Each row of a plane
 * has empty bytes on its left; the row after it has those for its right.
 */
export const headerBytes: usize = 16;
export const margin: i32 = 32;

@inline
export function widthOf(picture: usize): i32 {
  return load<i32>(picture);
}

@inline
export function heightOf(picture: usize): i32 {
  return load<i32>(picture, 4);
}

/** The column and row of the frame where the picture was drawn; both are even. */
@inline
export function leftOf(picture: usize): i32 {
  return load<i32>(picture, 8);
}

@inline
export function topOf(picture: usize): i32 {
  return load<i32>(picture, 12);
}

/** The columns of a row pair: the first one that is not transparent, the one after the last, and the same of the longest opaque part. */
@inline
export function spanOf(picture: usize, pair: i32): usize {
  return picture + headerBytes + ((<usize>pair) << 4);
}

@inline
export function planeBytes(width: i32, height: i32): usize {
  return <usize>((width + margin) * height);
}

/** The first byte of the luma plane. */
@inline
export function lumaOf(picture: usize): usize {
  return picture + headerBytes + ((<usize>heightOf(picture)) << 3);
}

/** The first byte of the first chroma plane. */
@inline
export function chromaOf(picture: usize): usize {
  return lumaOf(picture) + 2 * planeBytes(widthOf(picture), heightOf(picture));
}

/** The bytes of a picture of this size (both even). */
export function pictureBytes(width: i32, height: i32): usize {
  return (
    headerBytes +
    ((<usize>height) << 3) +
    2 * planeBytes(width, height) +
    3 * planeBytes(width >> 1, height >> 1) +
    2 * margin
  );
}
