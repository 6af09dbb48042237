import { readFileSync, writeFileSync } from "node:fs";
import { createCanvas, loadImage } from "@napi-rs/canvas";

/**
 * The size of a background in pixels: 4:3 survives the cover crop of wide, square and tall frames best. All of it is out of
 * focus, so more pixels would show nothing more; but a browser decodes them in the very moment of the first frame.
 */
const width = 800;
const height = 600;

/** What a background may weigh. */
const mostBytes = 12 * 1024;

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
