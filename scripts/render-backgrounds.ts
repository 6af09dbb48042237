import { readFileSync, writeFileSync } from "node:fs";
import { createCanvas, loadImage } from "@napi-rs/canvas";

/** The size of a background in pixels: 4:3 survives the cover crop of wide, square and tall frames best. */
const width = 1600;
const height = 1200;

/** What a background may weigh. */
const mostBytes = 25 * 1024;

/** Renders scripts/backgrounds/<name>.svg to public/backgrounds/<name>.webp, so that no page runs its filters. */
async function renderBackground(name: string): Promise<string> {
  const image = await loadImage(readFileSync(new URL(`backgrounds/${name}.svg`, import.meta.url)));
  const canvas = createCanvas(width, height);
  canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  const bytes = await canvas.encode("webp", 82);
  if (bytes.length > mostBytes)
    throw new Error(`${name} weighs ${bytes.length} bytes; at most ${mostBytes} are allowed`);
  writeFileSync(new URL(`../public/backgrounds/${name}.webp`, import.meta.url), bytes);
  return `public/backgrounds/${name}.webp ${bytes.length} bytes`;
}

for (const name of ["room", "calm"]) console.log(await renderBackground(name));
