import { createCanvas, GifDisposal, GifEncoder, loadImage } from "@napi-rs/canvas";

/** A picture of an animation. */
export interface Frame {
  readonly png: Buffer;
  /** On any clock, in ms. */
  readonly atMs: number;
}

/** Smaller changes of a colour are noise of the video's encoder. */
const visibleChange = 14;

/** Makes the pixels transparent that look like those shown already. Updates `shown`. */
function keepChanges(pixels: Uint8ClampedArray, shown: Uint8ClampedArray): void {
  for (let at = 0; at < pixels.length; at += 4) {
    const change = Math.max(
      Math.abs((pixels[at] ?? 0) - (shown[at] ?? 0)),
      Math.abs((pixels[at + 1] ?? 0) - (shown[at + 1] ?? 0)),
      Math.abs((pixels[at + 2] ?? 0) - (shown[at + 2] ?? 0)),
    );
    if (change < visibleChange && (shown[at + 3] ?? 0) > 0) pixels[at + 3] = 0;
    else shown.set(pixels.subarray(at, at + 4), at);
  }
}

/** An endless GIF of the frames at a width in pixels. Each picture holds only what has changed. */
export async function animate(frames: readonly Frame[], width: number): Promise<Uint8Array> {
  const images = await Promise.all(frames.map(({ png }) => loadImage(png)));
  const [first] = images;
  if (!first) throw new Error("There are no frames.");
  const height = Math.round((first.height * width) / first.width);
  const encoder = new GifEncoder(width, height, { repeat: 0, quality: 10 });
  const shown = new Uint8ClampedArray(width * height * 4);
  for (const [index, image] of images.entries()) {
    const context = createCanvas(width, height).getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, width, height);
    const { data } = context.getImageData(0, 0, width, height);
    keepChanges(data, shown);
    const [now, next] = [frames[index], frames[index + 1]];
    const delay = now && next ? Math.round(next.atMs - now.atMs) : 1_500;
    encoder.addFrame(new Uint8Array(data.buffer), width, height, { delay, disposal: GifDisposal.Keep });
  }
  return encoder.finish();
}
