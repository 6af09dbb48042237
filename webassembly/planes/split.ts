import { chromaOf, heightOf, lumaOf, margin, pictureBytes, planeBytes, spanOf, widthOf } from "./layout";

/** Weights of red, green, blue and alpha for limited-range BT.601 with its offset, for premultiplied colours; 2 ** 15 is 1. */
const lumaWeights = i16x8(8414, 16519, 3208, 2056, 8414, 16519, 3208, 2056);
/** The same for the sum of four pixels; 2 ** 17 is 1. */
const blueWeights = i16x8(-4857, -9535, 14392, 16448, -4857, -9535, 14392, 16448);
const redWeights = i16x8(14392, -12052, -2340, 16448, 14392, -12052, -2340, 16448);

/** Four pixels from column `x` of a row that may begin and end in between; others are transparent. */
function fourPixels(row: usize, x: i32, width: i32): v128 {
  if (x >= 0 && x + 4 <= width) return v128.load(row + ((<usize>x) << 2));
  let pixels = i32x4.splat(0);
  if (x >= 0 && x < width) pixels = i32x4.replace_lane(pixels, 0, load<i32>(row + ((<usize>x) << 2)));
  if (x + 1 >= 0 && x + 1 < width)
    pixels = i32x4.replace_lane(pixels, 1, load<i32>(row + ((<usize>(x + 1)) << 2)));
  if (x + 2 >= 0 && x + 2 < width)
    pixels = i32x4.replace_lane(pixels, 2, load<i32>(row + ((<usize>(x + 2)) << 2)));
  if (x + 3 >= 0 && x + 3 < width)
    pixels = i32x4.replace_lane(pixels, 3, load<i32>(row + ((<usize>(x + 3)) << 2)));
  return pixels;
}

@inline
function storeFour(at: usize, lanes: v128): void {
  const words = i16x8.narrow_i32x4_s(lanes, lanes);
  v128.store32_lane(at, i8x16.narrow_i16x8_u(words, words), 0);
}

@inline
function storeLuma(at: usize, pixels: v128): void {
  const near = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(pixels), lumaWeights);
  const far = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(pixels), lumaWeights);
  const sum = i32x4.add(
    v128.shuffle<i32>(near, far, 0, 2, 4, 6),
    v128.shuffle<i32>(near, far, 1, 3, 5, 7),
  );
  storeFour(at, i32x4.shr_s(i32x4.add(sum, i32x4.splat(1 << 14)), 15));
}

@inline
function storeChroma(at: usize, sums: v128, weights: v128): void {
  const parts = i32x4.dot_i16x8_s(sums, weights);
  const near = (i32x4.extract_lane(parts, 0) + i32x4.extract_lane(parts, 1) + (1 << 16)) >> 17;
  const far = (i32x4.extract_lane(parts, 2) + i32x4.extract_lane(parts, 3) + (1 << 16)) >> 17;
  store<u8>(at, <u8>near);
  store<u8>(at, <u8>far, 1);
}

/** The sums of 2 × 2 pixels: red, green, blue and alpha of two blocks. */
@inline
function blockSums(above: v128, below: v128): v128 {
  const near = i16x8.add(i16x8.extend_low_i8x16_u(above), i16x8.extend_low_i8x16_u(below));
  const far = i16x8.add(i16x8.extend_high_i8x16_u(above), i16x8.extend_high_i8x16_u(below));
  return i16x8.add(v128.shuffle<i64>(near, far, 0, 2), v128.shuffle<i64>(near, far, 1, 3));
}

/**
 * Makes the planes of a picture from premultiplied RGBA pixels of `rgbaWidth` × `rgbaHeight`, which begin at column `shiftX` and row
 * `shiftY` of the planes (0 or 1). The planes' size is even.
 */
export function split(
  picture: usize,
  width: i32,
  height: i32,
  left: i32,
  top: i32,
  rgba: usize,
  rgbaWidth: i32,
  rgbaHeight: i32,
  shiftX: i32,
  shiftY: i32,
): void {
  memory.fill(picture, 0, pictureBytes(width, height));
  store<i32>(picture, width);
  store<i32>(picture, height, 4);
  store<i32>(picture, left, 8);
  store<i32>(picture, top, 12);
  const none = i32x4.splat(0);
  for (let y = 0; y < height; y += 2) {
    const source = y - shiftY;
    let first = width;
    let end = 0;
    let opaqueFirst = 0;
    let opaqueEnd = 0;
    let opaqueSince = 0;
    const above = rgba + ((<usize>(source * rgbaWidth)) << 2);
    const below = above + ((<usize>rgbaWidth) << 2);
    const hasAbove = source >= 0 && source < rgbaHeight;
    const hasBelow = source + 1 < rgbaHeight;
    for (let x = 0; x < width; x += 4) {
      const a = hasAbove ? fourPixels(above, x - shiftX, rgbaWidth) : none;
      const b = hasBelow ? fourPixels(below, x - shiftX, rgbaWidth) : none;
      if (!i32x4.all_true(i32x4.eq(i32x4.shr_u(v128.and(a, b), 24), i32x4.splat(255)))) opaqueSince = x + 4;
      if (!v128.any_true(v128.or(a, b))) continue;
      first = min(first, x);
      end = x + 4;
      splitBlock(picture, x, y, a, b);
      if (end - opaqueSince > opaqueEnd - opaqueFirst) {
        opaqueFirst = opaqueSince;
        opaqueEnd = end;
      }
    }
    store<i32>(spanOf(picture, y >> 1), first);
    store<i32>(spanOf(picture, y >> 1), end, 4);
    store<i32>(spanOf(picture, y >> 1), opaqueFirst, 8);
    store<i32>(spanOf(picture, y >> 1), opaqueEnd, 12);
  }
}

function splitBlock(picture: usize, x: i32, y: i32, above: v128, below: v128): void {
  const width = widthOf(picture);
  const height = heightOf(picture);
  const row = width + margin;
  const luma = lumaOf(picture) + <usize>(y * row + margin + x);
  storeLuma(luma, above);
  storeLuma(luma + row, below);
  const alpha = luma + planeBytes(width, height);
  storeFour(alpha, i32x4.shr_u(above, 24));
  storeFour(alpha + row, i32x4.shr_u(below, 24));
  const chromaBytes = planeBytes(width >> 1, height >> 1);
  const chroma = chromaOf(picture) + <usize>((y >> 1) * ((width >> 1) + margin) + margin + (x >> 1));
  const sums = blockSums(above, below);
  storeChroma(chroma, sums, blueWeights);
  storeChroma(chroma + chromaBytes, sums, redWeights);
  const alphas = chroma + 2 * chromaBytes;
  store<u8>(alphas, <u8>((i16x8.extract_lane_u(sums, 3) + 2) >> 2));
  store<u8>(alphas, <u8>((i16x8.extract_lane_u(sums, 7) + 2) >> 2), 1);
}
