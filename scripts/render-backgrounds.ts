import { readFileSync, writeFileSync } from "node:fs";
import { createCanvas, loadImage } from "@napi-rs/canvas";

/**
 * The size of a background in pixels. With 4:3, the crop for wide, square and tall frames loses least. The picture is out of
 * focus, so more pixels would show no more detail, and the browser would have to decode them just before the first frame. The same
 * bytes with fewer pixels allow a quality at which no blocks are seen, even three times as large on a phone.
 */
const width = 480;
const height = 360;

/** The largest size of a background file. */
const mostBytes = 12 * 1024;

/** Renders scripts/backgrounds/<name>.svg to public/backgrounds/<name>.webp, so that no page runs its filters. */
async function renderBackground(name: string): Promise<string> {
  const image = await loadImage(readFileSync(new URL(`backgrounds/${name}.svg`, import.meta.url)));
  const canvas = createCanvas(width, height);
  canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  const bytes = await canvas.encode("webp", 96);
  if (bytes.length > mostBytes)
    throw new Error(`${name} weighs ${bytes.length} bytes; at most ${mostBytes} are allowed`);
  writeFileSync(new URL(`../public/backgrounds/${name}.webp`, import.meta.url), bytes);
  return `public/backgrounds/${name}.webp ${bytes.length} bytes`;
}

for (const name of ["room", "calm"]) console.log(await renderBackground(name));
